/** Larger answers are not read to their end. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What came back of one request, before anybody has looked into it. */
export type Reply =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      /** Set where the body ended early; `body` is what came. */
      readonly bodyError?: unknown;
    }
  /** `sent`: the request had begun to leave this machine. */
  | { readonly kind: 'no-reply'; readonly error: unknown; readonly sent: boolean };
