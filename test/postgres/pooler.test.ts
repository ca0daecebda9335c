// Services behind a PgBouncer that hands connections on after each transaction. All contract suites
// behind one: SPECWRIGHT_TEST_POOLER=1 npx vitest run --project postgres --project postgres-platform

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ExternalDatabase } from '../../server/contract/database.ts';
import { holdPostgres } from '../../server/store/hold-postgres.ts';
import { openPostgres } from '../../server/store/open-postgres.ts';
import { connectionOptions } from '../../server/store/postgres-pool.ts';
import { databases, externalAt } from '../support/chosen-store.ts';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { hasPooler, type Pooler, startPooler } from '../support/pooler.ts';
import { databasesOf } from '../support/postgres-server.ts';
import { humanSpec, TINY } from '../support/specs.ts';

const SERVER_CONNECTIONS = 4;
const owner = inject('postgres');
const server = databasesOf(owner);
const before = process.env['SPECWRIGHT_TEST_POSTGRES'];
let pooler: Pooler | undefined;
const nodes: TestPlatform[] = [];
let turn = 0;

/** Services of this file go through the pooler, like those of processes that they start. */
beforeAll(async () => {
  if (!hasPooler) return;
  pooler = await startPooler(owner, { serverConnections: SERVER_CONNECTIONS });
  process.env['SPECWRIGHT_TEST_POSTGRES'] = JSON.stringify({ ...owner, pooler: pooler.port });
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});
afterAll(async () => {
  process.env['SPECWRIGHT_TEST_POSTGRES'] = before;
  await pooler?.stop();
});

const open = (external: ExternalDatabase) =>
  openPostgres({
    ...{ name: 'dashboard', external, now: () => 0 },
    migrations: fileURLToPath(new URL('../../migrations/dashboard', import.meta.url)),
  });

/** What the server's connections hold that services were given, one after the other. */
async function leftOn(external: ExternalDatabase): Promise<unknown[]> {
  const clients = Array.from(
    { length: SERVER_CONNECTIONS },
    () => new pg.Client(connectionOptions(external)),
  );
  try {
    const found = [];
    for (const client of clients) {
      await client.connect();
      // Each keeps its own, so that the next gets another.
      await client.query('BEGIN');
      const { rows } = await client.query(
        `SELECT current_setting('enable_seqscan') AS seqscan, current_setting('lock_timeout') AS lock,
           current_setting('statement_timeout') AS statement,
           (SELECT count(*) FROM pg_prepared_statements) AS prepared,
           (SELECT count(*) FROM pg_listening_channels()) AS listening`,
      );
      found.push(rows[0]);
    }
    return found;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function node(
  database: string,
  role: 'api' | 'worker',
  env: Readonly<Record<string, string>>,
  handler: () => unknown = () => 'ok',
): Promise<TestPlatform> {
  const made = await startTestPlatform({
    ...{ database, role, env, handlers: { 'work.note': handler } },
  });
  nodes.push(made);
  return made;
}

describe.skipIf(!hasPooler)('behind a pooler of transactions', () => {
  test.each([
    ['that refuses settings of a connection', []],
    [
      'that is told to ignore them',
      ['ignore_startup_parameters = statement_timeout,extra_float_digits'],
    ],
  ])(
    'one %s is found where nobody spoke of it, and the start is refused',
    async (_how, settings) => {
      const other = await startPooler(owner, { settings });
      const url = await server.createDatabase();
      try {
        const { address, ...rest } = externalAt(url);
        const external = { ...rest, address: { ...address, port: other.port }, pooler: false };
        const refusal: unknown = await open(external).catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: 'store_unsupported' });
        expect(String(refusal)).toContain('Set …_DATABASE_POOLER=true');
      } finally {
        await other.stop();
        await server.dropDatabase(url);
      }
    },
  );

  test.each([
    ['looks for news', false],
    ['hears of news over the address of the database itself', true],
  ])(
    'a platform of two nodes that %s does its work and leaves nothing behind',
    async (_how, isDirect) => {
      turn += 1;
      const database = `/pooler/${process.pid}/${turn}`;
      const url = await databases.of(database);
      const env: Record<string, string> = isDirect
        ? { SERV_DATABASE_DIRECT_URL: url, SERV_WORKER_IDLE_POLL_SECONDS: '30' }
        : { SERV_WORKER_IDLE_POLL_SECONDS: '0.2' };
      const api = await node(database, 'api', env);
      const worker = await node(database, 'worker', { ...env, SERV_WORKER_CONCURRENCY: '4' }, () =>
        sleep(5),
      );
      // It has looked, and waits.
      await sleep(500);
      const queued = await Promise.all(
        Array.from({ length: 24 }, (_item, at) =>
          api.post('/v1/runs', {
            input: `r${at}`,
            spec: functionSpec('work.note'),
            async_mode: true,
          }),
        ),
      );
      for (const { body } of queued) await api.waitFor(body.run_id, 'completed');
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => api.post('/v1/runs', { input: 'x', spec: TINY })),
      );
      expect(answers.map(({ body }) => body.status)).toEqual(Array(8).fill('completed'));
      const asks = await api.post('/v1/runs', { input: 'x', spec: humanSpec(), async_mode: true });
      const blocked = await api.waitFor(asks.body.run_id, 'blocked');
      const task = `/v1/human-tasks/${blocked.body.continuation_id}`;
      const decision = { request_id: (await api.get(task)).body.request.id, decision: 'approved' };
      expect((await api.post(`${task}/resume`, decision)).status).toBe(200);
      const slow = await api.post('/v1/runs', { input: 'x', spec: TINY, async_mode: true });
      await api.post(`/v1/runs/${slow.body.run_id}/cancel`, {});
      expect((await api.get('/v1/runs?status=completed&q=r7')).body.total).toBe(1);
      expect((await worker.get('/readyz', { key: null })).status).toBe(200);
      const left = { seqscan: 'on', lock: '0', statement: '0', prepared: 0, listening: 0 };
      expect(await leftOn(externalAt(url))).toEqual(Array(SERVER_CONNECTIONS).fill(left));
    },
  );

  test('a dashboard makes its tables and works, and one studio at a time holds its database', async () => {
    const url = await server.createDatabase();
    const external = externalAt(url);
    const stores = await Promise.all([open(external), open(external)]);
    const [first, second] = stores;
    try {
      expect(await first.hasRoom()).toBe(true);
      expect(
        await second.db
          .selectFrom('schema_migrations' as never)
          .selectAll()
          .execute(),
      ).toHaveLength(3);
      const hold = await holdPostgres('studio', external);
      await expect(holdPostgres('studio', external)).rejects.toMatchObject({
        code: 'store_locked',
      });
      await hold.release();
      await (await holdPostgres('studio', external)).release();
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await server.dropDatabase(url);
    }
  });
});
