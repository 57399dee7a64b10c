/** `npm run engines`: the tests that run in a page, in the engines that `npm run test:long` does not use. */
import { defineConfig } from 'vitest/config';
import viteConfig from '../../vite.config.ts';
import { ENGINES, engine } from './browsers.ts';

export default defineConfig((environment) => {
  const { test: _, ...shared } = viteConfig(environment);
  return {
    ...shared,
    test: {
      // One browser at a time.
      fileParallelism: false,
      silent: 'passed-only',
      projects: (Object.keys(ENGINES) as (keyof typeof ENGINES)[]).map((name) => ({
        extends: true as const,
        test: {
          name,
          setupFiles: 'test/support/no-sleep.ts',
          globalSetup: 'test/engines/serve-pages.ts',
          testTimeout: 240_000,
          hookTimeout: 240_000,
          include: ['test/browser/**/*.test.ts', 'test/engines/*.test.ts'],
          exclude: ['test/browser/*times.test.ts'],
          isolate: false,
          browser: {
            enabled: true,
            headless: false,
            screenshotFailures: false,
            fileParallelism: false,
            provider: engine(name),
            instances: [{ browser: name }],
          },
        },
      })),
    },
  };
});
