import { defineConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The tests that run in process and are about one layer, since each mutant runs those that reach it. */
const folders = 'test/{apply,plan,resources,state}';

export default defineConfig((environment) => {
  const { test, ...rest } = config(environment);
  return {
    ...rest,
    test: { ...test, include: [`${folders}/**/*.test.ts`], maxWorkers: 1, testTimeout: 20_000 },
  };
});
