import { setTimeout as sleep } from 'node:timers/promises';
import type { AppMetrics } from '../../preload/desktop-api.ts';
import { openDesktop } from '../e2e/support/desktop.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { type Figure, toFigure } from './harness.ts';

const REPEATS = 5;
const SETTLE = 5_000;

interface Sample {
  readonly window: number;
  readonly services: number;
  readonly memory: number;
}

async function openOnce(folder: string, settle: number): Promise<Sample> {
  const desktop = await openDesktop({ folder });
  await desktop.ready();
  await sleep(settle);
  const metrics = await desktop.page.evaluate(async () => {
    const bridge = (window as { specwright?: { appMetrics(): Promise<AppMetrics> } }).specwright;
    if (bridge === undefined) throw new Error('the page has no bridge');
    return bridge.appMetrics();
  });
  await desktop.close();
  return {
    window: metrics.marks['window_shown'] ?? Number.NaN,
    services: metrics.marks['services_ready'] ?? Number.NaN,
    memory: metrics.processes.reduce((sum, process) => sum + process.memory_mib, 0),
  };
}

/** From the process's start to the window and to the services, and the memory at rest. */
export async function startBench(): Promise<readonly Figure[]> {
  const folder = scratchFolder();
  await openOnce(folder.path, 0);
  const samples: Sample[] = [];
  for (let i = 0; i < REPEATS; i += 1) samples.push(await openOnce(folder.path, SETTLE));
  folder.remove();
  const of = (key: keyof Sample) => samples.map((sample) => sample[key]);
  return [
    toFigure(
      'start',
      { name: 'time to window', unit: 'ms', budget: { atMost: 3_000 } },
      of('window'),
    ),
    toFigure(
      'start',
      { name: 'time to services ready', unit: 'ms', budget: { atMost: 2_000 } },
      of('services'),
    ),
    toFigure(
      'start',
      { name: 'idle memory of the shell (services apart)', unit: 'MiB' },
      of('memory'),
    ),
  ];
}
