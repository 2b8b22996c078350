declare const TROVE_VERSION: string;

/** The version in package.json, put here when the bundle is built. */
export const version: string = TROVE_VERSION;
