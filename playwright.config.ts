import { defineConfig } from '@playwright/test';

// Each worker reads this file: the second one's windows open on a display of their own.
const { TEST_PARALLEL_INDEX, SPECWRIGHT_SECOND_DISPLAY, SPECWRIGHT_SECOND_XAUTHORITY } =
  process.env;
if (TEST_PARALLEL_INDEX === '1' && SPECWRIGHT_SECOND_DISPLAY !== undefined) {
  process.env['DISPLAY'] = SPECWRIGHT_SECOND_DISPLAY;
  process.env['XAUTHORITY'] = SPECWRIGHT_SECOND_XAUTHORITY ?? '';
}

const inCi = process.env['CI'] !== undefined;

// A story waits for a quarter of its time, so two of them fill two cores. Each pair has room: the
// limits are far above what a story takes alone.
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/artifacts',
  workers: 2,
  fullyParallel: false,
  forbidOnly: inCi,
  // A test that needed its second try is listed as flaky, and is to be mended.
  retries: inCi ? 1 : 0,
  timeout: 300_000,
  expect: { timeout: 25_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: { screenshot: 'only-on-failure', trace: inCi ? 'on-first-retry' : 'retain-on-failure' },
});
