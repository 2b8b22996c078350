import { crc32 } from 'node:zlib';

const PREFIX_LENGTH = 9;

/** One line of a journal: eight hexadecimal digits of CRC-32, a space, one JSON value, a line break. */
export function encodeLine(json: string): string {
  return `${checksum(Buffer.from(json))} ${json}\n`;
}

/** The value of a line (without its break), or undefined where the checksum says that it is damaged. */
export function decodeLine(line: Buffer): unknown {
  const json = line.subarray(PREFIX_LENGTH);
  if (line.toString('latin1', 0, PREFIX_LENGTH) !== `${checksum(json)} `) return undefined;
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
