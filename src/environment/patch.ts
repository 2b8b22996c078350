import {
  type Address,
  addressOf,
  type Catalog,
  type ClassifierDeclaration,
  type Declared,
} from '../catalog/model.ts';
import { declaredHint } from '../catalog/rules.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { ProblemList, problemsIn } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { mergePatch } from './merge-patch.ts';
import type { Environment } from './model.ts';
import { overlaidDocument } from './overlaid-document.ts';
import type { ClassifierOverride } from './overrides.ts';
import { type Patched, patchItem } from './patch-item.ts';
import { placeIn } from './place-in.ts';
import { type Doubts, mayMean, type Tailored, type Taken } from './take.ts';

/**
 * What was taken of the catalog `whole` with the overrides of an environment laid over it. An override that has nothing
 * to change is told and left out.
 */
export function patch(
  { catalog: taken, unmatched }: Taken,
  whole: Catalog,
  environment: Environment,
  { isIncomplete }: Doubts,
): Tailored {
  const { overrides } = environment;
  if (overrides === undefined) return { catalog: taken, problems: [] };
  const attributes = new Set(whole.attributes.keys());
  const isOpen = (address: Address, isKnown: boolean) =>
    isKnown ? unmatched.some((pattern) => mayMean(pattern, address)) : isIncomplete;
  const classifiers = patchSection(
    'classifiers',
    { declared: taken.classifiers, known: whole.classifiers, overrides: overrides.classifiers, isOpen },
    (declared, override) => patchClassifier(declared, override, environment),
    environment,
  );
  const items = patchSection(
    'items',
    { declared: taken.items, known: whole.items, overrides: overrides.items, isOpen },
    (declared, override) =>
      patchItem(declared, override, { declared: attributes, isIncomplete }, environment),
    environment,
  );
  return {
    catalog: { ...taken, classifiers: classifiers.patched, items: items.patched },
    problems: [...classifiers.problems, ...items.problems],
  };
}

interface Section<T, O> {
  readonly declared: ReadonlyMap<string, Declared<T>>;
  /** What `only` leaves out is among these. */
  readonly known: ReadonlyMap<string, unknown>;
  readonly overrides: Readonly<Record<string, O>> | undefined;
  /** Whether it may be there all the same: `isKnown`, and `only` seems to leave it out. */
  readonly isOpen: (address: Address, isKnown: boolean) => boolean;
}

function patchSection<T, O>(
  section: 'classifiers' | 'items',
  { declared, known, overrides, isOpen }: Section<T, O>,
  patchOne: (declared: Declared<T>, override: O) => Patched<T>,
  environment: Environment,
): { readonly patched: ReadonlyMap<string, Declared<T>>; readonly problems: readonly Diagnostic[] } {
  if (overrides === undefined) return { patched: declared, problems: [] };
  const patched = new Map(declared);
  const problems = new ProblemList();
  for (const [key, override] of Object.entries(overrides)) {
    const found = declared.get(key);
    const address = addressOf(section === 'items' ? 'item' : 'classifier', key);
    if (found === undefined) {
      if (!isOpen(address, known.has(key))) problems.add(() => hitsNothing(section, key, known, environment));
    } else {
      const { declaration, problems: slips } = patchOne(found, override);
      const document = overlaidDocument(found.document, environment.document);
      patched.set(key, { ...found, declaration, document });
      problems.addAll(slips);
    }
  }
  return { patched, problems: problems.all() };
}

function hitsNothing(
  section: 'classifiers' | 'items',
  key: string,
  known: ReadonlyMap<string, unknown>,
  environment: Environment,
): Diagnostic {
  const noun = section === 'items' ? 'item' : 'classifier';
  const place = placeIn(environment, ['overrides', section, key], 'key');
  if (!known.has(key)) {
    const hint = declaredHint(key, [...known.keys()]);
    return error('unknown-reference', `${noun} ${quoted(key)} is not declared in the catalog`, {
      ...place,
      hint,
    });
  }
  const hint = `remove this override, or add ${quoted(`${noun}.${key}`)} to \`only\``;
  const { location } = placeIn(environment, ['only'], 'key');
  return error('left-out', `this override changes nothing: \`only\` leaves ${noun} ${quoted(key)} out`, {
    ...place,
    ...(location && { related: [{ message: 'what this team gets', location }] }),
    hint,
  });
}

function patchClassifier(
  { key, declaration }: Declared<ClassifierDeclaration>,
  override: ClassifierOverride,
  environment: Environment,
): Patched<ClassifierDeclaration> {
  const { options: _, ...values } = override;
  // They are there, and can't be read.
  if (declaration.options === undefined)
    return { declaration: mergePatch(declaration, values) as ClassifierDeclaration, problems: [] };
  const options = Object.entries(override.options ?? {});
  const isKnown = ([option]: readonly [string, unknown]) => Object.hasOwn(declaration.options, option);
  const known = options.filter(isKnown);
  const problems = problemsIn(
    options.filter((each) => !isKnown(each)),
    ([option]) =>
      () => {
        const message = `option ${quoted(option)} is not declared in classifier ${quoted(key)}`;
        const path = ['overrides', 'classifiers', key, 'options', option];
        const hint = declaredHint(option, Object.keys(declaration.options));
        return error('unknown-reference', message, { ...placeIn(environment, path, 'key'), hint });
      },
  );
  const sound = { ...override, options: Object.fromEntries(known) };
  return { declaration: mergePatch(declaration, sound) as ClassifierDeclaration, problems };
}
