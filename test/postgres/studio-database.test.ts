// A studio whose store is an external database: how it is told of it, and that it is the only one there.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { readStudioConfig } from '../../server/studio/config.ts';
import type { StudioOptions } from '../../server/studio/service.ts';
import { databasesOf } from '../support/postgres-server.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';
import { P, SPEC } from '../support/studio-world.ts';

const NOWHERE = 'http://127.0.0.1:9';
const server = databasesOf(inject('postgres'));
const started: StudioUnderTest[] = [];
let url: string;

beforeAll(async () => {
  url = await server.createDatabase();
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.dispose();
});
afterAll(() => server.dropDatabase(url));

async function start(address = url, change: Partial<StudioOptions> = {}) {
  const one = await startStudioUnderTest(NOWHERE, change, { STUDIO_DB_URL: address });
  started.push(one);
  return one;
}

const ready = async (studio: StudioUnderTest) => (await studio.call('GET', '/api/readyz')).status;

test('both names of the address are read, and only one may be set', () => {
  for (const name of ['STUDIO_DB_URL', 'STUDIO_DATABASE_URL']) {
    const { external } = readStudioConfig({ [name]: url });
    expect(external?.address.database).toBe(new URL(url).pathname.slice(1));
  }
  expect(() => readStudioConfig({ STUDIO_DB_URL: url, STUDIO_DATABASE_URL: url })).toThrow(
    /unset one/,
  );
  const secret = 'postgres://me:a-secret@';
  expect(() => readStudioConfig({ STUDIO_DB_URL: secret })).toThrow(/^STUDIO_DB_URL must be/);
  expect(() => readStudioConfig({ STUDIO_DB_URL: secret })).not.toThrow(/a-secret/);
  expect(readStudioConfig({}).external).toBeUndefined();
});

test('drafts are files, everything else is in the database, and no file of a store is made', async () => {
  const studio = await start();
  const body = { name: 'a.yaml', kind: 'spec', text: SPEC };
  const made = await studio.call('POST', `${P}/drafts`, body);
  expect(made.status, made.text).toBe(201);
  expect(existsSync(path.join(studio.root, made.body.ref))).toBe(true);
  expect(existsSync(path.join(studio.folder, 'state', 'studio.db'))).toBe(false);
  await studio.restart();
  const { body: drafts } = await studio.call('GET', `${P}/drafts`);
  expect(JSON.stringify(drafts)).toContain(made.body.ref);
});

test('a second studio at the database is refused, and let in once the first has ended', async () => {
  const fresh = await server.createDatabase();
  try {
    const first = await start(fresh);
    const beside = { projectRoot: first.root };
    await expect(start(fresh, beside)).rejects.toThrow(
      /studio database is in use by another process/,
    );
    await first.stop();
    expect(await ready(await start(fresh, beside))).toBe(200);
    for (const one of started.splice(0)) await one.dispose();
  } finally {
    await server.dropDatabase(fresh);
  }
});

test('a database that goes away turns readiness red and lets nobody else in; both come back (AS-142)', async () => {
  const fresh = await server.createDatabase();
  const name = new URL(fresh).pathname.slice(1);
  try {
    const studio = await start(fresh);
    await server.asOwner(
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await expect.poll(() => ready(studio)).toBe(503);
    await server.asOwner(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await expect.poll(() => ready(studio)).toBe(200);
    await expect(start(fresh)).rejects.toThrow(/in use by another process/);
    for (const one of started.splice(0)) await one.dispose();
  } finally {
    await server.dropDatabase(fresh);
  }
});
