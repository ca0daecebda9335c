import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const pure = ['server/{kernel,contract,spec,importers,gaps,engine,services,items}/**/*.test.ts'];

export default defineConfig({
  test: {
    // Tests of services wait more than they compute: one file more than there are processors.
    maxWorkers: availableParallelism() + 1,
    // Measured by `npm test` and `vitest run --project pure --coverage` only: the rooms that every
    // service trusts blindly hold their share of branches.
    coverage: {
      provider: 'v8',
      include: ['server/{spec,engine}/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'test-results/coverage',
      thresholds: {
        'server/spec/**': { branches: 95 },
        'server/engine/**': { branches: 95 },
      },
    },
    projects: [
      {
        test: {
          name: 'pure',
          include: pure,
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: [
            'server/**/*.test.ts',
            'main/**/*.test.ts',
            'preload/**/*.test.ts',
            'test/{contract,migrations,gates}/**/*.test.ts',
          ],
          exclude: pure,
          environment: 'node',
          // Files share the modules that their worker has read: reading them anew took a second of a
          // processor for each file. No test patches a module, so none can see another.
          isolate: false,
          // Limits are for what never comes, not for a machine with other work.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          // The same contract suites over PostgreSQL, and what only such a store does.
          name: 'postgres',
          include: [
            'test/postgres/**/*.test.ts',
            'test/contract/dashboard-*.test.ts',
            'test/contract/studio-*.test.ts',
          ],
          // About the reading of folders alone: nothing of it is in a store.
          exclude: ['test/contract/studio-tree-large.test.ts'],
          globalSetup: ['test/support/postgres-global.ts'],
          setupFiles: ['test/support/postgres-worker.ts'],
          environment: 'node',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          // Those of the platform; what is about the file itself is left out, here or by its test.
          name: 'postgres-platform',
          include: ['test/contract/platform-*.test.ts'],
          exclude: [
            // The disk of the file is full, or takes no writes.
            'test/contract/platform-disk.test.ts',
            // Fills the file by hand with more runs than the window holds.
            'test/contract/platform-window.test.ts',
          ],
          globalSetup: ['test/support/postgres-global.ts'],
          setupFiles: ['test/support/postgres-worker.ts'],
          environment: 'node',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'renderer',
          include: ['renderer/**/*.test.ts', 'renderer/**/*.test.tsx'],
          // A file that uses a part by hand and keyboard asks for happy-dom in its first line.
          environment: 'node',
          environmentOptions: {
            happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } },
          },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
