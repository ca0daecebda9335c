import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { readFigures } from './dashboard-reads.bench.ts';
import { idleStreamFigures, STREAM_SETTINGS, streamFigures } from './dashboard-streams.bench.ts';
import { figuresOfParts, filled, inFolder, MANY, withServices } from './filled-platform.ts';
import type { Figure } from './harness.ts';

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  reads: async () =>
    inFolder(await filled(MANY), (folder) =>
      withServices(folder, (headless) => readFigures(headless, MANY)),
    ),
  streams: () =>
    inFolder(scratchFolder(), (folder) => withServices(folder, streamFigures, STREAM_SETTINGS)),
  idle: () =>
    inFolder(scratchFolder(), (folder) =>
      withServices(folder, (headless) => idleStreamFigures(headless, folder), {
        SERV_REQUEST_LOGS: 'true',
      }),
    ),
};

/**
 * The dashboard over a platform with many runs, and its streams. SPECWRIGHT_BENCH_PARTS names some
 * of its parts: reads, streams, idle.
 */
export function dashboardBench(): Promise<readonly Figure[]> {
  return figuresOfParts(PARTS);
}
