// Lists of a team's platform over many runs, all in one database beside it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { databases } from '../support/chosen-store.ts';
import { fillPostgresRuns, patternRequests } from '../support/fill-postgres-runs.ts';
import { ownerClient, startPostgresServer } from '../support/postgres-server.ts';
import { startNode } from '../support/team.ts';
import { type Figure, measure, milliseconds } from './harness.ts';
import { call, get } from './platform-http.ts';
import { LISTS } from './platform-reads.bench.ts';

const SUITE = 'teams';
const OPEN = { SERV_API_KEYS: '' };
const WITHIN_MS = 20;
/** As many runs as the budget speaks of; SPECWRIGHT_BENCH_RUNS=50000 is filled in seconds. */
const RUNS = Number(process.env['SPECWRIGHT_BENCH_RUNS'] ?? '1000000');
const HOUR_MS = 3_600_000;

/** As a server of a team has it. */
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '8GB' };

const RARE = Math.floor(RUNS / 2);
const MORE: readonly (readonly [name: string, query: string])[] = [
  ['session and status', 'session_id=session-7&status=failed'],
  ['name and status, none there', 'workflow_name=review&status=failed'],
  [
    'created_before, early',
    `created_before=${new Date(Date.now() - RUNS * 0.85 * 60_000).toISOString()}`,
  ],
  [
    'status failed, between two early moments',
    `status=failed&created_after=${new Date(Date.now() - RUNS * 0.9 * 60_000).toISOString()}&created_before=${new Date(Date.now() - RUNS * 0.85 * 60_000).toISOString()}`,
  ],
  [`a text that one run holds`, `q=no%20${RARE}`],
  ['a text of no run', 'q=not%20in%20any%20run'],
  ['a common text of one session', 'q=invoice&session_id=session-7'],
  [
    'a common text of one day',
    `q=invoice&created_after=${new Date(Date.now() - 24 * HOUR_MS).toISOString()}`,
  ],
];

/** As the window asks: counted no further than it shows. */
const COUNTED_TO: readonly (readonly [name: string, query: string])[] = [
  ['a text of every run', 'q=in'],
  ['a text of every other run', 'q=invoice'],
  ['a common phrase', 'q=invoice%20refund'],
  ['a common text and a status', 'q=order&status=failed'],
  ['a common text and a kind', 'q=invoice&workflow_kind=agent'],
];

/** Every match of a common text is counted, since a total is exact: without a budget. */
const COMMON: readonly (readonly [name: string, query: string])[] = [
  ['a text of every run', 'q=in'],
  ['a text of every other run', 'q=invoice'],
  ['a common phrase', 'q=invoice%20refund'],
  ['a common text and a status', 'q=order&status=failed'],
  ['sort by what only runs hold', 'sort_by=metadata.spec.version'],
];

/** Fills a database with {@link RUNS} runs and asks for every list. */
export async function teamsListFigures(): Promise<Figure[]> {
  const server = await startPostgresServer({ durable: true, settings: SETTINGS });
  const { port, password } = server;
  process.env['SPECWRIGHT_TEST_POSTGRES'] = JSON.stringify({ port, password });
  const folder = mkdtempSync(path.join(tmpdir(), 'teams-'));
  const start = () => startNode({ database: folder, folder, env: OPEN });
  let node = await start();
  try {
    for (const body of patternRequests()) {
      // One of them is refused, and is listed as that.
      await call('POST', `${node.url}/v1/runs`, body).catch(() => undefined);
    }
    await node.kill();
    const client = ownerClient(server, new URL(await databases.of(folder)).pathname.slice(1));
    await client.connect();
    await fillPostgresRuns(client, RUNS);
    await client.end();
    node = await start();
    const figures: Figure[] = [];
    const one = async (name: string, query: string, most: number | undefined) =>
      figures.push(
        await measure(SUITE, {
          name: `list: ${name}, ${RUNS} stored`,
          unit: 'ms',
          warmup: 3,
          repeats: most === undefined ? 5 : 20,
          ...(most === undefined ? {} : { budget: { atMost: most } }),
          sample: () => milliseconds(() => get(`${node.url}/v1/runs?limit=100&${query}`)),
        }),
      );
    for (const [name, query] of [...LISTS, ...MORE]) await one(name, query, WITHIN_MS);
    for (const [name, query] of COUNTED_TO) {
      await one(`${name}, counted to 300`, `${query}&count_to=300`, WITHIN_MS);
    }
    for (const [name, query] of COMMON) await one(name, query, undefined);
    return figures;
  } finally {
    await node.kill();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
