import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { type Figure, toFigure } from './harness.ts';

const SUITE = 'dashboard';
/** Pixels of one step of the wheel: reading on, looking for something, going far. */
const STEPS = [120, 600, 3000];
const STEP_COUNT = 150;
/** About one step a frame. */
const STEP_MS = 16;
const SETTLE_MS = 1000;
/** Sixty frames a second, by a clock that is exact to a tenth. */
const FRAME_MS = 16.8;
const LIST = '.sw-table-scroll';

/** The list of runs is open; says how long each frame takes from now on, until it is asked. */
async function watchFrames(page: Page): Promise<() => Promise<number[]>> {
  const frames = await page.evaluateHandle(() => {
    const found = { times: [] as number[], isOver: false };
    let last: number | undefined;
    const frame = (at: number): void => {
      if (last !== undefined) found.times.push(at - last);
      last = at;
      if (!found.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return found;
  });
  return async () => {
    const times = await frames.evaluate((found) => {
      found.isOver = true;
      return found.times;
    });
    // The browser's clock adds fractions of a microsecond.
    return times.map((time) => Math.round(time * 10) / 10);
  };
}

/** Milliseconds of the frames while the wheel goes down the list of runs, at several speeds. */
export async function scrollFigure(page: Page, runs: number): Promise<Figure> {
  await page.locator('[data-testid="place-runs"]').click();
  await page.locator('[data-testid^="row-"]').first().waitFor();
  await page.locator(LIST).hover();
  const samples: number[] = [];
  for (const step of STEPS) {
    await sleep(SETTLE_MS);
    const over = await watchFrames(page);
    for (let i = 0; i < STEP_COUNT; i += 1) {
      await page.mouse.wheel(0, step);
      await sleep(STEP_MS);
    }
    samples.push(...(await over()));
  }
  const name = `window: frames while ${runs} runs are scrolled`;
  return toFigure(SUITE, { name, unit: 'ms', budget: { atMost: FRAME_MS, of: 'p95' } }, samples);
}
