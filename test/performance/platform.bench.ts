import { type Headless, serveHeadless } from '../e2e/support/headless.ts';
import { scratchFolder } from '../e2e/support/scratch-folder.ts';
import { type Figure, measure, milliseconds, toFigure } from './harness.ts';

const TINY = {
  spec: { version: 'v1', agent: { name: 'tiny', system_prompt: 'Answer.' } },
  input: 'hello',
};
const STORED = 10_000;
const CALLERS = 8;

async function post(url: string, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function get(url: string): Promise<unknown> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Creates `total` runs with eight callers; answers the rate of each tenth. */
async function fill(url: string, total: number): Promise<number[]> {
  const rates: number[] = [];
  for (let tenth = 0; tenth < 10; tenth += 1) {
    let left = total / 10;
    const caller = async () => {
      while (left > 0) {
        left -= 1;
        await post(url, TINY);
      }
    };
    const spent = await milliseconds(() =>
      Promise.all(Array.from({ length: CALLERS }, () => caller())),
    );
    rates.push(total / 10 / (spent / 1000));
  }
  return rates;
}

async function measureRuns({ urls }: Headless): Promise<Figure[]> {
  const runs = `${urls.platform}/v1/runs`;
  const single = await measure('platform', {
    name: 'synchronous run, one caller',
    unit: 'ms',
    warmup: 20,
    repeats: 200,
    sample: () => milliseconds(() => post(runs, TINY)),
  });
  const rates = await fill(runs, STORED);
  const rate = toFigure(
    'platform',
    { name: `synchronous runs, ${CALLERS} callers, ${STORED} in all`, unit: 'runs/s' },
    rates,
  );
  const list = await measure('platform', {
    name: `list of 100 at ${STORED} stored`,
    unit: 'ms',
    warmup: 5,
    repeats: 50,
    sample: () => milliseconds(() => get(`${runs}?limit=100`)),
  });
  const dashboard = await measure('platform', {
    name: `the dashboard's list of 100 at ${STORED} stored`,
    unit: 'ms',
    warmup: 5,
    repeats: 50,
    sample: () => milliseconds(() => get(`${urls.dashboard}/api/runs?limit=100`)),
  });
  return [single, rate, list, dashboard];
}

/** Runs and lists over HTTP on loopback, with the offline runtime. */
export async function platformBench(): Promise<readonly Figure[]> {
  const folder = scratchFolder();
  const headless = await serveHeadless({
    folder: folder.path,
    env: { SPECWRIGHT_LOG: 'file', SERV_REQUEST_LOGS: 'false' },
  });
  try {
    return await measureRuns(headless);
  } finally {
    await headless.stop();
    folder.remove();
  }
}
