import { defineConfig } from 'vitest/config';

const pure = ['server/{kernel,contract,spec,importers,gaps,engine}/**/*.test.ts'];

export default defineConfig({
  test: {
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
      { test: { name: 'pure', include: pure, environment: 'node', testTimeout: 30_000 } },
      {
        test: {
          name: 'server',
          include: [
            'server/**/*.test.ts',
            'main/**/*.test.ts',
            'test/{contract,migrations,gates}/**/*.test.ts',
          ],
          exclude: pure,
          environment: 'node',
          testTimeout: 20_000,
          // What is waited for may take longer than a second on a machine with other work.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'renderer',
          include: ['renderer/**/*.test.ts', 'renderer/**/*.test.tsx'],
          environment: 'node',
        },
      },
    ],
  },
});
