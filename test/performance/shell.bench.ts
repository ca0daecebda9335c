import { globSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Desktop, openDesktop } from '../e2e/support/desktop.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { UNSEEN } from '../e2e/support/screens.ts';
import { walkStory } from '../e2e/support/story.ts';
import { inWindow } from '../e2e/support/story-window.ts';
import { LARGE, largeHome } from './filled-home.ts';
import { figuresOfParts, inFolder, sharedMib } from './filled-platform.ts';
import { type Figure, toFigure } from './harness.ts';

const SUITE = 'shell';
const REPEATS = 5;
/** After a story the window is left alone for so long, until its workers have ended, before its memory is read. */
const SETTLE_MS = 90_000;
const WATCH_MS = 10_000;
/** Minutes for which the memory is watched; an hour is asked for by SPECWRIGHT_BENCH_MINUTES=60. */
const MINUTES = Number(process.env['SPECWRIGHT_BENCH_MINUTES'] ?? '5');
const PAGE_CACHE = '/proc/sys/vm/drop_caches';
const PACKAGES = path.resolve('release');

/** The moment, in milliseconds of the system's clock, when the largest part of the page was painted. */
function paintedAt({ page }: Desktop): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1);
          if (last !== undefined) resolve(performance.timeOrigin + last.startTime);
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

/** Milliseconds from the program's start until its first page is painted and all services answer. */
async function untilInteractive(folder: string): Promise<number> {
  const desktop = await openDesktop({ folder });
  await desktop.ready();
  const started = await desktop.app.evaluate(() => process.getCreationTime());
  const painted = await paintedAt(desktop);
  const marks = await desktop.page.evaluate(async () => {
    const bridge = (
      window as { specwright?: { appMetrics(): Promise<{ marks: Record<string, number> }> } }
    ).specwright;
    return bridge?.appMetrics().then((metrics) => metrics.marks);
  });
  await desktop.close();
  const services = marks?.['services_ready'];
  if (started === null || services === undefined) throw new Error('the program tells no times');
  return Math.max(painted - started, services);
}

/** Empties the system's cache of files, as after a start of the machine; false where it may not. */
function emptyFileCache(): boolean {
  try {
    writeFileSync(PAGE_CACHE, '3');
    return true;
  } catch {
    process.stderr.write(`  a cold start is not measured: ${PAGE_CACHE} needs root\n`);
    return false;
  }
}

async function warmStarts(folder: string): Promise<number[]> {
  await untilInteractive(folder);
  const times: number[] = [];
  for (let turn = 0; turn < REPEATS; turn += 1) times.push(await untilInteractive(folder));
  return times;
}

async function coldStarts(folder: string): Promise<Figure[]> {
  const times: number[] = [];
  for (let turn = 0; turn < REPEATS; turn += 1) {
    if (!emptyFileCache()) return [];
    times.push(await untilInteractive(folder));
  }
  return [
    toFigure(SUITE, { name: 'interactive, cold', unit: 'ms', budget: { atMost: 3000 } }, times),
  ];
}

async function startFigures(): Promise<Figure[]> {
  let empty: number[] = [];
  const figures = await inFolder(scratchFolder(), async (folder) => {
    empty = await warmStarts(folder);
    return coldStarts(folder);
  });
  let full: number[] = [];
  await inFolder(await largeHome(), async (folder) => {
    full = await warmStarts(folder);
    return [];
  });
  const warm = toFigure(
    SUITE,
    { name: 'interactive, warm, empty store', unit: 'ms', budget: { atMost: 1500 } },
    empty,
  );
  const large = toFigure(SUITE, { name: `interactive, warm, ${LARGE}`, unit: 'ms' }, full);
  const ratio = { name: 'the second against the first', unit: 'times', budget: { atMost: 1.1 } };
  return [warm, large, toFigure(SUITE, ratio, [large.median / warm.median]), ...figures];
}

/** Watches how long the main process does not come to its events; gives the longest, in ms. */
async function watchMain({ app }: Desktop): Promise<() => Promise<number>> {
  const watch = await app.evaluateHandle(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    return delay;
  });
  return () => watch.evaluate((delay) => delay.max / 1e6);
}

function pidOf({ app }: Desktop): number {
  const { pid } = app.process();
  if (pid === undefined) throw new Error('the program has no process');
  return pid;
}

/** The main job in the window; its hold of the main process, and the memory of all processes. */
async function storyFigures(): Promise<Figure[]> {
  return inFolder(scratchFolder(), async (folder) => {
    const desktop = await openDesktop({ folder });
    await desktop.ready();
    const longest = await watchMain(desktop);
    await walkStory(inWindow(desktop, folder, UNSEEN));
    const held = await longest();
    await sleep(SETTLE_MS);
    const pid = pidOf(desktop);
    const first = sharedMib(pid);
    const minutes: number[] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      await sleep(60_000 - WATCH_MS);
      const looks: number[] = [];
      for (let look = 0; look < 5; look += 1) {
        await sleep(WATCH_MS / 5);
        looks.push(sharedMib(pid));
      }
      minutes.push(Math.min(...looks));
    }
    await desktop.close();
    const grown = Math.max(0, (minutes.at(-1) ?? first) - first);
    return [
      toFigure(
        SUITE,
        { name: 'main process held, longest of a story', unit: 'ms', budget: { atMost: 50 } },
        [held],
      ),
      toFigure(
        SUITE,
        { name: 'memory of all processes after a story', unit: 'MiB', budget: { atMost: 420 } },
        [first],
      ),
      toFigure(
        SUITE,
        { name: `the same, grown after ${MINUTES} min`, unit: 'MiB', budget: { atMost: 20 } },
        [grown],
      ),
    ];
  });
}

/** The size of the Debian package that `npm run package` left, where there is one. */
async function packageFigures(): Promise<Figure[]> {
  const found = globSync('*.deb', { cwd: PACKAGES }).map(
    (name) => statSync(path.join(PACKAGES, name)).size / 1024 ** 2,
  );
  if (found.length === 0) {
    process.stderr.write('  no deb is measured: npm run package -- --only deb makes it\n');
    return [];
  }
  return [toFigure(SUITE, { name: 'deb', unit: 'MiB', budget: { atMost: 130 } }, found)];
}

/**
 * The application as its user meets it: starts, memory, the main process, the package.
 * SPECWRIGHT_BENCH_PARTS names some of its parts: start, story, package.
 */
export function shellBench(): Promise<readonly Figure[]> {
  return figuresOfParts({ start: startFigures, story: storyFigures, package: packageFigures });
}
