import { defineConfig } from '@playwright/test';

// Two stories of windows and services do not fit on two cores at once, hence one worker.
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/artifacts',
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  // A test that needed its second try is listed as flaky, and is to be mended.
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: { screenshot: 'only-on-failure', trace: 'retain-on-failure' },
});
