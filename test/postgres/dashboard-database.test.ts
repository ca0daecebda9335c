// A dashboard whose store is an external database: how it is told of it, and several at one.
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { databasesOf } from '../support/postgres-server.ts';

const server = databasesOf(inject('postgres'));
const started: Awaited<ReturnType<typeof startTestDashboard>>[] = [];
let url: string;

beforeEach(async () => {
  url = await server.createDatabase();
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
  await server.dropDatabase(url);
});

const config = (env: Record<string, string>) =>
  readDashboardConfig({ DASH_DEV_MODE: '1', XDG_CONFIG_HOME: '/nonexistent', ...env });

async function start(env: Record<string, string> = { DASH_DB_URL: url }) {
  const one = await startTestDashboard({ url: 'http://127.0.0.1:9' }, { config: config(env) });
  started.push(one);
  return async (path: string, method = 'GET', body?: unknown) => {
    const response = await fetch(`${one.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
}

test('both names of the address are read, and only one may be set (OD-014, OD-015)', () => {
  for (const name of ['DASH_DB_URL', 'DASH_DATABASE_URL']) {
    const { external, databaseFile } = config({ [name]: url });
    expect(external?.address.database).toBe(new URL(url).pathname.slice(1));
    expect(databaseFile).toBeUndefined();
  }
  expect(() => config({ DASH_DB_URL: url, DASH_DATABASE_URL: url })).toThrow(/unset one/);
  expect(() => config({ DASH_DB_URL: 'd.db', DASH_DATABASE_URL: url })).toThrow(/unset one/);
  const secret = 'postgres://me:a-secret@';
  expect(() => config({ DASH_DB_URL: secret })).toThrow(/^DASH_DB_URL must be/);
  expect(() => config({ DASH_DB_URL: secret })).not.toThrow(/a-secret/);
});

test('replicas that start at once at an empty database serve one state (OD-015)', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  if (one === undefined || two === undefined) throw new Error('both start');
  const made = await one('/api/saved-filters', 'POST', { name: 'mine', filters: {} });
  expect(made.status).toBe(201);
  const { body } = await two('/api/saved-filters');
  expect(JSON.stringify(body)).toContain('"mine"');
  const facts = await two('/api/facts');
  expect(facts.body.store).toMatchObject({ kind: 'external', bytes: null });
});

test('of two operators who change one note at two replicas one is told (OD-015)', async () => {
  const [one, two] = [await start(), await start()];
  const made = await one('/api/saved-filters', 'POST', { name: 'mine', filters: {} });
  const { id, version } = made.body;
  const change = (ask: typeof one, name: string) =>
    ask(`/api/saved-filters/${id}`, 'PUT', { name, version });
  const answers = await Promise.all([change(one, 'a'), change(two, 'b')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a database that goes away turns readiness red, and green again by itself (OD-015)', async () => {
  const ask = await start();
  const name = new URL(url).pathname.slice(1);
  expect((await ask('/api/readyz')).status).toBe(200);
  await server.asOwner(
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  await expect.poll(async () => (await ask('/api/readyz')).status).toBe(503);
  await server.asOwner(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await expect.poll(async () => (await ask('/api/readyz')).status).toBe(200);
});
