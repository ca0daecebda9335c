import { defineConfig } from 'vitest/config';

const pure = ['server/{kernel,contract,spec,importers,engine}/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'pure', include: pure, environment: 'node' } },
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
