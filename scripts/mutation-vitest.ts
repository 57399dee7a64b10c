/** The Vitest configuration of `npm run mutation`: one project without plugins, cheap files first. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  publicDir: false,
  test: {
    include: process.env.MUTATION_TESTS?.split(';') ?? [],
    exclude: [
      'test/histories/**',
      'test/project/**',
      // They count bytes and nodes, bundle the sources, read the types, or take long.
      'test/octree/{allocation,cost,server-example}.test.ts',
      'test/nasty/hostile-callers.test.ts',
      'test/wasm/walk-wasm.test.ts',
    ],
    setupFiles: ['test/support/no-sleep.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    isolate: false,
  },
});
