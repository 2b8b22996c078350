import { declaredHint } from '../catalog/declared-hint.ts';
import type { Catalog, ClassifierDeclaration, Declared } from '../catalog/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { ProblemList, problemsIn } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { mergePatch } from './merge-patch.ts';
import type { Environment } from './model.ts';
import { overlaidDocument } from './overlaid-document.ts';
import type { ClassifierOverride } from './overrides.ts';
import { type Patched, patchItem } from './patch-item.ts';
import { placeIn } from './place-in.ts';
import type { Tailored } from './take.ts';

/**
 * `taken` with the overrides of an environment laid over it. `whole` is the catalog that it was taken from. An
 * override that has nothing to change is told and left out.
 */
export function patch(taken: Catalog, whole: Catalog, environment: Environment): Tailored {
  const { overrides } = environment;
  if (overrides === undefined) return { catalog: taken, problems: [] };
  const classifiers = patchSection(
    'classifiers',
    { declared: taken.classifiers, known: whole.classifiers, overrides: overrides.classifiers },
    (declared, override) => patchClassifier(declared, override, environment),
    environment,
  );
  const items = patchSection(
    'items',
    { declared: taken.items, known: whole.items, overrides: overrides.items },
    (declared, override) => patchItem(declared, override, new Set(whole.attributes.keys()), environment),
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
}

function patchSection<T, O>(
  section: 'classifiers' | 'items',
  { declared, known, overrides }: Section<T, O>,
  patchOne: (declared: Declared<T>, override: O) => Patched<T>,
  environment: Environment,
): { readonly patched: ReadonlyMap<string, Declared<T>>; readonly problems: readonly Diagnostic[] } {
  if (overrides === undefined) return { patched: declared, problems: [] };
  const patched = new Map(declared);
  const problems = new ProblemList();
  for (const [key, override] of Object.entries(overrides)) {
    const found = declared.get(key);
    if (found === undefined) problems.add(() => hitsNothing(section, key, known, environment));
    else {
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
