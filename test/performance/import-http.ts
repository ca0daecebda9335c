import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';
import { type Figure, measure, milliseconds, toFigure } from './harness.ts';
import { post } from './platform-http.ts';
import { withServed } from './served-studio.ts';

const PUBLIC = path.resolve(import.meta.dirname, '../fixtures/public-n8n');
const IMPORT = '/api/projects/default/import/n8n';

async function send(studio: StudioUnderTest, name: string, raw: string): Promise<void> {
  const body = { raw, alias: 'default', source_name: name };
  const answer = await studio.call('POST', IMPORT, body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
}

/** Imports of a new file each time: a draft written, an analysis stored. */
function overHttp(
  url: string,
  count: number,
  atMost: number,
  workflowOf: (count: number, title: string) => string,
): Promise<Figure> {
  let turn = 0;
  return measure('import', {
    name: `POST import, ${count} nodes`,
    unit: 'ms',
    // A service that has been up for a second, not the first imports of its life.
    warmup: 30,
    repeats: 100,
    budget: { atMost },
    sample: () => {
      turn += 1;
      const source_name = `chain-${count}-${turn}.json`;
      const raw = workflowOf(count, `Chain ${turn} of ${count}`);
      const body = { raw, alias: 'default', source_name };
      return milliseconds(() => post(`${url}${IMPORT}`, body));
    },
  });
}

/** The longest time that the services' event loop stood still while all public exports came in. */
async function loopDelay(studio: StudioUnderTest): Promise<Figure> {
  const files = readdirSync(PUBLIC).filter((name) => name.endsWith('.json'));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const queue = files.values();
  const work = async (): Promise<void> => {
    for (const file of queue)
      await send(studio, file, readFileSync(path.join(PUBLIC, file), 'utf8'));
  };
  await Promise.all(Array.from({ length: 4 }, work));
  delay.disable();
  const what = {
    name: 'event loop blocked during 143 imports',
    unit: 'ms',
    budget: { atMost: 50 },
  };
  return toFigure('import', what, [delay.max / 1e6]);
}

/** Figures over HTTP: times from outside, and how long the services' own process stood still. */
export async function importHttpBench(
  workflowOf: (count: number, title: string) => string,
): Promise<readonly Figure[]> {
  const times = await withServed(async (url) => [
    await overHttp(url, 200, 15, workflowOf),
    await overHttp(url, 1_000, 80, workflowOf),
  ]);
  const studio = await startStudioUnderTest('http://127.0.0.1:9', { checkResponses: false });
  try {
    return [...times, await loopDelay(studio)];
  } finally {
    await studio.dispose();
  }
}
