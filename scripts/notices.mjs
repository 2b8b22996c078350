// The licenses of everything in the bundle, so that the package can be passed on as it is.
import { readdir, readFile, writeFile } from 'node:fs/promises';

/** Takes esbuild's metafile and writes the license text of every package in it, in name order. */
export async function writeNotices(metafile, path) {
  const packages = new Set(
    Object.keys(metafile.inputs).flatMap(
      (input) => input.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? [],
    ),
  );
  const notices = await Promise.all([...packages].sort().map(notice));
  await writeFile(path, `${notices.join('\n\n')}\n`);
}

async function notice(name) {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const files = await readdir(folder);
  const file =
    files.find((entry) => /^licen[cs]e/i.test(entry)) ?? files.find((entry) => /^readme/i.test(entry));
  const whole = await readFile(`${folder}/${file}`, 'utf8');
  // Some packages have their license at the end of their README only.
  const [text] = /^readme/i.test(file) ? (/(?<=^## licen[cs]e\s+)\S.*$/ims.exec(whole) ?? []) : [whole];
  if (!text) throw new Error(`${name} has no license to pass on.`);
  return `${name} ${version} (${license})\n\n${text.trim()}`;
}
