/** What names are known, to find the one that was meant: these, or the keys. */
export type Names = readonly string[] | ReadonlySet<string> | ReadonlyMap<string, unknown> | object;

/** The rule says it all. */
export type Nothing = Readonly<Record<string, never>>;

/** What the system said: its code, where it has one, and its own words. */
export interface SystemCause {
  code: string | undefined;
  said: string;
}
