// A team's platform: nodes of their own on one database, all beside it on this machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgresServer } from '../support/postgres-server.ts';
import { startNode, type TeamNode, type TeamOptions } from '../support/team.ts';
import { figuresOfParts } from './filled-platform.ts';
import { type Figure, milliseconds, toFigure } from './harness.ts';
import { callers, get, post } from './platform-http.ts';
import { TINY } from './platform-specs.ts';
import { teamsListFigures } from './teams-lists.bench.ts';

const SUITE = 'teams';
const QUEUED = 1500;
const ROUNDS = 4;
const CALLERS = 8;
const SUSTAINED_MS = 10_000;
/** Each look is two lists: looking more often takes from what is measured. */
const BETWEEN_LOOKS_MS = 100;
const LEASE_SECONDS = 5;
const OPEN = { SERV_API_KEYS: '', SERV_WORKER_LEASE_SECONDS: String(LEASE_SECONDS) };

const STEP = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'one',
    steps: [{ id: 'a', kind: 'function', ref: 'note' }],
  },
  components: { functions: { note: { implementation: 'work.note' } } },
};

async function count(runs: string, status: string): Promise<number> {
  return JSON.parse(await get(`${runs}?limit=1&status=${status}`)).total;
}

async function untilDrained(runs: string): Promise<void> {
  while ((await count(runs, 'queued')) + (await count(runs, 'running')) > 0) {
    await sleep(BETWEEN_LOOKS_MS);
  }
}

async function enqueue(runs: string, many: number, spec: object = TINY): Promise<void> {
  let left = many;
  await callers(CALLERS, async () => {
    left -= 1;
    if (left < 0) return false;
    await post(runs, { spec, input: 'hello', async_mode: true });
    return true;
  });
}

/** Runs that wait before the workers begin; each round has two new ones. */
async function drained(start: (role: TeamOptions['role']) => Promise<TeamNode>, runs: string) {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await enqueue(runs, QUEUED);
    const workers = await Promise.all([start('worker'), start('worker')]);
    const before = await count(runs, 'queued');
    const from = performance.now();
    await untilDrained(runs);
    rates.push(before / ((performance.now() - from) / 1000));
    await Promise.all(workers.map((worker) => worker.kill()));
  }
  const name = 'one-step runs drained, two workers';
  return toFigure(SUITE, { name, unit: 'runs/s', budget: { atLeast: 400 } }, rates.slice(1));
}

async function synchronous(runs: string): Promise<Figure[]> {
  const body = { spec: TINY, input: 'hello' };
  for (let i = 0; i < 100; i += 1) await post(runs, body);
  const alone: number[] = [];
  for (let i = 0; i < 400; i += 1) alone.push(await milliseconds(() => post(runs, body)));
  const from = performance.now();
  let done = 0;
  await callers(CALLERS, async () => {
    await post(runs, body);
    done += 1;
    return performance.now() - from < SUSTAINED_MS;
  });
  const rate = done / ((performance.now() - from) / 1000);
  return [
    toFigure(
      SUITE,
      { name: 'sync tiny run, one caller', unit: 'ms', budget: { atMost: 8 } },
      alone,
    ),
    toFigure(
      SUITE,
      { name: `sync tiny runs, ${CALLERS} callers`, unit: 'runs/s', budget: { atLeast: 300 } },
      [rate],
    ),
  ];
}

/** From the answer of the request to the start of the run, on a worker that is told of it. */
async function wakeUps(runs: string): Promise<Figure> {
  const waits: number[] = [];
  for (let i = 0; i < 100; i += 1) {
    await sleep(30);
    const { run_id: id } = JSON.parse(
      await post(runs, { spec: TINY, input: 'hello', async_mode: true }),
    );
    let run = JSON.parse(await get(`${runs}/${id}`));
    while (run.started_at === null) run = JSON.parse(await get(`${runs}/${id}`));
    waits.push(Date.parse(run.started_at) - Date.parse(run.created_at));
  }
  const name = 'queued to begun, another node is told';
  return toFigure(SUITE, { name, unit: 'ms', budget: { atMost: 20, of: 'p95' } }, waits.slice(10));
}

/** How long the runs of a killed worker wait for the other one, beyond its lease. */
async function takeOver(
  start: (role: TeamOptions['role']) => Promise<TeamNode>,
  runs: string,
): Promise<Figure> {
  const [lost, stays] = [await start('worker'), await start('worker')];
  await enqueue(runs, 300, STEP);
  await lost.kill();
  const from = performance.now();
  await untilDrained(runs);
  const seconds = (performance.now() - from) / 1000;
  await stays.kill();
  const name = `a killed worker's runs are over, lease ${LEASE_SECONDS} s`;
  return toFigure(SUITE, { name, unit: 's', budget: { atMost: LEASE_SECONDS + 1 } }, [seconds]);
}

async function nodeFigures(): Promise<Figure[]> {
  const server = await startPostgresServer({ durable: true });
  const { port, password } = server;
  process.env['SPECWRIGHT_TEST_POSTGRES'] = JSON.stringify({ port, password });
  const folder = mkdtempSync(path.join(tmpdir(), 'teams-'));
  const started: TeamNode[] = [];
  const start = async (role: TeamOptions['role']): Promise<TeamNode> => {
    const node = await startNode({ database: folder, folder, env: OPEN, role });
    started.push(node);
    return node;
  };
  try {
    const api = await start('api');
    const runs = `${api.url}/v1/runs`;
    const figures: Figure[] = [await drained(start, runs)];
    figures.push(await takeOver(start, runs));
    const worker = await start('worker');
    figures.push(await wakeUps(runs));
    await worker.kill();
    const all = await start('all');
    figures.push(...(await synchronous(`${all.url}/v1/runs`)));
    return figures;
  } finally {
    await Promise.all(started.map((node) => node.kill()));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** SPECWRIGHT_BENCH_PARTS names some of its parts: nodes, lists. */
export function teamsBench(): Promise<readonly Figure[]> {
  return figuresOfParts({ nodes: nodeFigures, lists: teamsListFigures });
}
