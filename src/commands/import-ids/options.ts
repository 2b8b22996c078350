export interface ImportOptions {
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly newEnvironment?: boolean;
  readonly format: 'text' | 'json';
}
