/** What a pipeline learns from the exit. */
export const exitCode = {
  done: 0,
  error: 1,
  changes: 2,
  blocked: 3,
  unknown: 4,
  locked: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
