import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { type Headless, openChromium } from '../e2e/support/headless.ts';
import { scrollFigure } from './dashboard-frames.bench.ts';
import { MANY } from './filled-platform.ts';
import { type Figure, toFigure } from './harness.ts';
import { tracedRun } from './traced-run.ts';

const SUITE = 'dashboard';
const FIRST_PAGE = 300;
const REPEATS = 5;
/** A page has come to rest after so long; then it is watched for so long. */
const SETTLE_MS = 60_000;
const WATCH_MS = 30_000;
const LINE = '.sw-trace-line';

/** What leads to each place, and what stands there once its first page is read. */
const PLACES: readonly (readonly [name: string, by: string, there: string])[] = [
  ['overview', 'place-operate', '[data-testid="tile-total"]'],
  ['failures', 'operate-failures', '[data-testid="failure"]'],
  ['policies', 'operate-policies', '[data-testid="policies-page"]'],
  ['audit', 'operate-audit', '[data-testid="audit-page"]'],
  ['health', 'operate-health', '[data-testid="platform-health"]'],
  ['credentials', 'operate-secrets', '[data-testid="credentials-page"]'],
  ['runs', 'place-runs', '[data-testid^="row-"]'],
  ['tasks', 'place-tasks', '[data-testid^="task-"]'],
];

/** Milliseconds in the page from a click to the frame that shows something. */
function untilShown(page: Page, click: string, there: string): Promise<number> {
  return page.evaluate(
    ([way = '', shown = '']) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        document.querySelector<HTMLElement>(way)?.click();
        const look = (): void => {
          const found = document.querySelector(shown);
          const waits = document.querySelector('main .mantine-Skeleton-root');
          if (found === null || waits !== null) requestAnimationFrame(look);
          else requestAnimationFrame(() => resolve(performance.now() - from));
        };
        look();
      }),
    [click, there],
  );
}

const testId = (name: string): string => `[data-testid="${name}"]`;

/** A window that has read nothing yet, at a place that is none of the operator's. */
async function freshWindow(page: Page): Promise<void> {
  await page.locator(testId('place-settings')).click();
  await page.reload();
  await page.locator(testId('place-runs')).waitFor();
}

/** From the click to the first page of each place, which this window has not read before. */
async function placeFigures(page: Page): Promise<Figure[]> {
  const samples = new Map<string, number[]>();
  for (let turn = 0; turn <= REPEATS; turn += 1) {
    await freshWindow(page);
    for (const [name, by, there] of PLACES) {
      await page.locator(testId(by)).waitFor();
      const took = await untilShown(page, testId(by), there);
      if (turn > 0) samples.set(name, [...(samples.get(name) ?? []), took]);
    }
  }
  return [...samples].map(([name, times]) =>
    toFigure(
      SUITE,
      { name: `window: ${name} after the click`, unit: 'ms', budget: { atMost: FIRST_PAGE } },
      times,
    ),
  );
}

/** From the click on a run with a long trace to its first lines, in a window that has not read it. */
async function runFigure(
  page: Page,
  run: { readonly id: string; readonly events: number },
  atMost: number,
): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn <= REPEATS; turn += 1) {
    await freshWindow(page);
    await page.locator(testId('place-runs')).click();
    const row = testId(`row-${run.id}`);
    await page.locator(row).waitFor();
    const took = await untilShown(page, row, LINE);
    if (turn > 0) times.push(took);
  }
  const name = `window: page of a run of ${run.events} events`;
  return toFigure(SUITE, { name, unit: 'ms', budget: { atMost } }, times);
}

/** Requests of a window at which nobody does anything. */
async function restFigure(page: Page): Promise<Figure> {
  await page.locator(testId('place-operate')).click();
  await page.locator(testId('tile-total')).waitFor();
  await sleep(SETTLE_MS);
  let asked = 0;
  const count = (): void => {
    asked += 1;
  };
  page.on('request', count);
  await sleep(WATCH_MS);
  page.off('request', count);
  const name = 'window: overview at rest, requests in 5 s';
  return toFigure(SUITE, { name, unit: '', budget: { atMost: 1 } }, [(asked * 5000) / WATCH_MS]);
}

/** What an operator waits for in a browser, over the services as they are. */
export async function windowFigures(headless: Headless): Promise<Figure[]> {
  const runs = [
    [await tracedRun(headless.urls.platform), 500],
    // As many events as a platform keeps of a run, unless it is told otherwise.
    [await tracedRun(headless.urls.platform, 4950), 1000],
  ] as const;
  const browser = await openChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(headless.link);
    const figures = await placeFigures(page);
    for (const [run, atMost] of runs) figures.push(await runFigure(page, run, atMost));
    figures.push(await scrollFigure(page, MANY));
    return [...figures, await restFigure(page)];
  } finally {
    await browser.close();
  }
}
