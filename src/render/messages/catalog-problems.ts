import type { CatalogProblems, Names } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { quoted, quotedForShell } from '../words.ts';
import { declaredHint, didYouMean, namesIn, type Sentences } from './sentences.ts';

export const replaceLink = 'replace the link with the files, or remove it';
const naming = 'set the folder with --catalog or TROVE_CATALOG';
const plain = 'write `$${` for a literal `${`';

/** What is wrong with the files of a catalog. */
export const catalogProblems = {
  'broken-link': ({ link }) => [`the link ${link} points to nothing`, replaceLink],
  'empty-catalog': ({ folder }) => [
    `the catalog folder ${folder} contains no *.yaml files`,
    `add a file such as items.yaml, ${naming}, or create a catalog: ${initCommand(folder)}`,
  ],
  'empty-range': ({ attribute, min, max, isOneFile }) => [
    `the minimum of ${quoted(attribute)} is ${min}, above its maximum ${max}`,
    isOneFile ? 'swap the two' : undefined,
  ],
  'invalid-move': {
    repeated: ({ end, address }) => [`two entries move ${end} ${quoted(address)}`],
    'other-kind': ({ from, to }) => [`${from} and ${to} are of different kinds; a move must keep the kind`],
    circle: ({ addresses }) => [`these moves form a cycle: ${wayOf(addresses)}`],
    declared: ({ address }) => [
      `${quoted(address)} is still declared, so it can't have moved`,
      'if the record was renamed, give what the old key declares another key, since a recovery of a lost state finds records by their former keys; otherwise remove this entry',
    ],
    undeclared: ({ address, known }) => [`${quoted(address)} is not declared`, nearAddress(address, known)],
  },
  'link-loop': ({ link }) => [
    `the link ${link} points to a folder that is already in the catalog`,
    replaceLink,
  ],
  'missing-catalog': ({ folder, isFile }) =>
    isFile
      ? [`${folder} is a file, not a folder`, naming]
      : [
          `no such catalog folder: ${folder}`,
          `go to the project folder, ${naming}, or create one: ${initCommand(folder)}`,
        ],
  'nested-catalog': ({ folder, inner }) => [
    `${folder} contains a catalog of its own: ${inner}`,
    `use that one: --catalog ${quotedForShell(inner)}`,
  ],
  placeholder: ({ text }) =>
    text.endsWith('}')
      ? [
          `${quoted(text)} does not name an environment variable`,
          `use letters, digits and _, not beginning with a digit; ${plain}`,
        ]
      : [`${quoted(text)} is not closed`, `close it with \`}\`, or ${plain}`],
  'same-item-id': ({ id, items: [one, other] }) => [
    `the items ${quoted(one)} and ${quoted(other)} have the same ID ${quoted(id)}`,
  ],
  'same-option-name': ({ name, options: [one, other] }) => [
    `the options ${quoted(one)} and ${quoted(other)} have the same name ${quoted(name)}`,
    'responses identify options by name, so each name must be unique',
  ],
  'unknown-field': ({ field, known }) => [
    `${quoted(field)} is not a field that ignoreChanges accepts`,
    didYouMean(field, known) ?? `expected: ${known.map(quoted).join(', ')}`,
  ],
  'unknown-reference': ({ kind, name, of, known, isOutside }) => [
    `${kind} ${quoted(name)} is not declared${of === undefined ? '' : ` in classifier ${quoted(of)}`}${isOutside ? ' in the catalog' : ''}`,
    declaredHint(name, known),
  ],
  'variable-name': ({ variable, prefix, allowed }) => [
    `${quoted(variable)} can't be used: only variables that begin with ${prefix} can, because plans show their values`,
    `if its value is not a secret, write \`\${${allowed}}\` and export ${allowed}=VALUE`,
  ],
} satisfies Sentences<keyof CatalogProblems>;

function nearAddress(address: string, known: Names): string | undefined {
  const [kind = '', key = ''] = address.split('.');
  const meant = nearest(key, namesIn(known));
  return meant && `did you mean ${quoted(`${kind}.${meant}`)}?`;
}

/** Addresses in the order of the moves, the first again at the end. */
function wayOf(addresses: readonly string[]): string {
  const shown = addresses.length > 11 ? [...addresses.slice(0, 10), '…', ...addresses.slice(-1)] : addresses;
  return shown.map(quoted).join(' to ');
}

function initCommand(folder: string): string {
  return folder === 'catalog' ? 'trove init' : `trove init --catalog ${quotedForShell(folder)}`;
}
