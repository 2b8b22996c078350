/**
 * `patch` laid over `base`: mappings are merged key by key, anything else takes the place of what was there. An
 * empty mapping changes nothing, not even where `base` has none. Neither is changed, and what is not patched is shared.
 */
export function mergePatch(base: unknown, patch: unknown): unknown {
  if (!isMapping(base) || !isMapping(patch)) return patch;
  const patched = Object.entries(patch).flatMap(([key, value]) => {
    if (Object.hasOwn(base, key)) return [[key, mergePatch(base[key], value)] as const];
    return isMapping(value) && Object.keys(value).length === 0 ? [] : [[key, value] as const];
  });
  return Object.fromEntries([...Object.entries(base), ...patched]);
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
