import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from '@playwright/test';
import { type Headless, openChromium } from '../e2e/support/headless.ts';
import { scrollFigure } from './dashboard-frames.bench.ts';
import { cpuMs, MANY } from './filled-platform.ts';
import { type Figure, toFigure } from './harness.ts';
import { tracedRun } from './traced-run.ts';

const SUITE = 'dashboard';
const FIRST_PAGE = 300;
/** A platform that keeps a run of 20,000 events; its spec names each of its agents. */
export const LONG_RUNS = {
  SERV_TRACE_MAX_EVENTS: '25000',
  SERV_MAX_INLINE_SPEC_BYTES: '1000000',
  SERV_RUN_MAX_PARTS: '2000000',
};
const REPEATS = 5;
/** A page has come to rest after so long; then it is watched for so long. */
const SETTLE_MS = 60_000;
const WATCH_MS = 30_000;
/** The first line of a trace, and what is shown of the one that somebody chooses. */
const LINE = '.sw-trace-list [data-row]';
const DETAIL = '[data-testid="trace-detail"]';
const ALL_READ_MS = 60_000;
/** A page that shows nothing for so long will not: the bench ends and says what it looked for. */
const SHOWN_MS = 30_000;

/** What leads to each place, and what stands there once its first page is read. */
const PLACES: readonly (readonly [name: string, by: string, there: string])[] = [
  ['overview', 'place-operate', '[data-testid="tile-total"]'],
  ['failures', 'operate-failures', '[data-testid="failure"]'],
  ['spend', 'operate-spend', '[data-testid="spend-page"]'],
  ['launch', 'operate-launch', '[data-testid="launch-page"]'],
  ['policies', 'operate-policies', '[data-testid="policies-page"]'],
  ['audit', 'operate-audit', '[data-testid="audit-page"]'],
  ['health', 'operate-health', '[data-testid="platform-health"]'],
  ['credentials', 'operate-secrets', '[data-testid="credentials-page"]'],
  ['administration', 'operate-administration', '[data-testid="admin-page"]'],
  ['runs', 'place-runs', '[data-testid^="row-"]'],
  ['tasks', 'place-tasks', '[data-testid^="task-"]'],
];

/** Milliseconds in the page from a click to the frame that shows something. */
function untilShown(page: Page, click: string, there: string): Promise<number> {
  return page.evaluate(
    ([way, shown, limit]) =>
      new Promise<number>((resolve, reject) => {
        const from = performance.now();
        document.querySelector<HTMLElement>(way)?.click();
        const stands = (): boolean =>
          document.querySelector(shown) !== null &&
          document.querySelector('main .mantine-Skeleton-root') === null;
        const late = setTimeout(
          () => reject(new Error(`${shown} is not there ${limit} ms after ${way}`)),
          limit,
        );
        const shownNow = (): void => {
          clearTimeout(late);
          resolve(performance.now() - from);
        };
        const look = (): void => {
          requestAnimationFrame(stands() ? shownNow : look);
        };
        look();
      }),
    [click, there, SHOWN_MS] as const,
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

/**
 * The page of a run with a long trace, in a window that has not read it: milliseconds from the click
 * on the run until a line of it that was pressed shows its detail, and until its last event is there.
 */
async function runFigures(
  page: Page,
  run: { readonly id: string; readonly events: number },
  atMost: number,
): Promise<Figure[]> {
  const times: number[] = [];
  const whole: number[] = [];
  for (let turn = 0; turn <= REPEATS; turn += 1) {
    await freshWindow(page);
    await page.locator(testId('place-runs')).click();
    const row = testId(`row-${run.id}`);
    await page.locator(row).waitFor();
    const from = performance.now();
    const shown = await untilShown(page, row, LINE);
    const answered = await untilShown(page, LINE, DETAIL);
    await page
      .locator(`[data-testid="trace"][data-events="${run.events}"]`)
      .waitFor({ timeout: ALL_READ_MS });
    if (turn > 0) times.push(shown + answered);
    if (turn > 0) whole.push(performance.now() - from);
  }
  const name = `window: page of a run of ${run.events} events`;
  return [
    toFigure(SUITE, { name: `${name}, interactive`, unit: 'ms', budget: { atMost } }, times),
    toFigure(SUITE, { name: `${name}, all of them read`, unit: 'ms' }, whole),
  ];
}

/** Milliseconds for which the page's own thread has worked so far. */
async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** What a window at which nobody does anything asks for, and the time that it and the services take. */
async function restFigures(page: Page, pid: number): Promise<Figure[]> {
  await page.locator(testId('place-operate')).click();
  await page.locator(testId('tile-total')).waitFor();
  await sleep(SETTLE_MS);
  let asked = 0;
  const count = (): void => {
    asked += 1;
  };
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  page.on('request', count);
  const before = { window: await taskMs(session), services: cpuMs(pid) };
  await sleep(WATCH_MS);
  const share = {
    window: ((await taskMs(session)) - before.window) / WATCH_MS,
    services: (cpuMs(pid) - before.services) / WATCH_MS,
  };
  page.off('request', count);
  const name = 'window: overview at rest';
  const atMost = { atMost: 1 };
  return [
    toFigure(SUITE, { name: `${name}, requests in 5 s`, unit: '', budget: atMost }, [
      (asked * 5000) / WATCH_MS,
    ]),
    toFigure(SUITE, { name: `${name}, of a core in the window`, unit: '%', budget: atMost }, [
      100 * share.window,
    ]),
    toFigure(SUITE, { name: `${name}, of a core in the services`, unit: '%', budget: atMost }, [
      100 * share.services,
    ]),
  ];
}

/** What an operator waits for in a browser, over the services as they are. */
export async function windowFigures(headless: Headless): Promise<Figure[]> {
  const runs = [
    [await tracedRun(headless.urls.platform), 500],
    [await tracedRun(headless.urls.platform, 10_000), 1000],
  ] as const;
  const browser = await openChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(headless.link);
    const figures = await placeFigures(page);
    for (const [run, atMost] of runs) figures.push(...(await runFigures(page, run, atMost)));
    figures.push(await scrollFigure(page, MANY));
    return [...figures, ...(await restFigures(page, headless.urls.pid))];
  } finally {
    await browser.close();
  }
}
