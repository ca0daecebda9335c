// Any value in any place of a request to the studio and the dashboard is answered by a status of
// their contracts, never as an internal error.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../../server/kernel/json.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { startTestPlatform } from '../support/platform.ts';
import { startStudioUnderTest } from '../support/studio-app.ts';

const SERVER = path.resolve(import.meta.dirname, '../../server');
const RUNS = 600;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: readonly string[];
}

function namesOf(schema: unknown): string[] {
  return isObject(schema) && isObject(schema['shape']) ? Object.keys(schema['shape']) : [];
}

/** The operations that a service declares, its streams aside. */
async function operationsOf(service: 'studio' | 'dashboard'): Promise<Operation[]> {
  const folder = path.join(SERVER, 'contract', service);
  const files = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const modules: object[] = await Promise.all(
    files.map((name) => import(pathToFileURL(path.join(folder, name)).href)),
  );
  return modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter(isObject)
    .filter((one) => typeof one['method'] === 'string' && !String(one['path']).endsWith('/stream'))
    .map((one) => ({
      method: String(one['method']),
      path: String(one['path']),
      query: namesOf(one['query']),
      body: namesOf(one['body']),
    }));
}

const text = fc.oneof(
  fc.constantFrom('default', 'a.yaml', '..', '%', '\u0000', '__proto__', '9'.repeat(30), '0'),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('x'.repeat(5000)));

function requestOf(operations: readonly Operation[]) {
  return fc.constantFrom(...operations).chain((operation) => {
    const names = (known: readonly string[]) => fc.constantFrom('other', ...known);
    const members = fc.array(fc.tuple(names(operation.body), value), { maxLength: 5 });
    return fc.record({
      method: fc.constant(operation.method),
      segments: fc.array(text, { minLength: 4, maxLength: 4 }),
      path: fc.constant(operation.path),
      query: fc.array(fc.tuple(names(operation.query), text), { maxLength: 3 }),
      body: fc.oneof(
        members.map((entries) => JSON.stringify(Object.fromEntries(entries))),
        value.map((one) => JSON.stringify(one)),
        fc.constantFrom('', '{', '[1]'),
      ),
    });
  });
}

function addressOf(given: string, segments: readonly string[], query: [string, string][]): string {
  let at = 0;
  const filled = given.replaceAll(/\{(\w+)\+?\}/g, (_whole, name: string) => {
    at += 1;
    if (name === 'project_id') return 'default';
    return encodeURIComponent((segments[at] ?? '').toWellFormed()) || 'x';
  });
  const pairs = query.map(([name, one]) => [name, one.toWellFormed()]);
  return `/api${filled}?${new URLSearchParams(pairs)}`;
}

async function answersAll(url: string, service: 'studio' | 'dashboard'): Promise<void> {
  const requests = requestOf(await operationsOf(service));
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, path: given, segments, query, body }) => {
      const answer = await fetch(`${url}${addressOf(given, segments, query)}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(10_000),
        ...(method === 'GET' ? {} : { body, headers: { 'content-type': 'application/json' } }),
      });
      const said = await answer.text();
      expect([given, said]).not.toEqual([given, expect.stringContaining('internal_error')]);
      expect([given, answer.status === 500]).toEqual([given, false]);
    }),
    { numRuns: RUNS },
  );
}

test('the studio', async () => {
  const studio = await startStudioUnderTest('http://127.0.0.1:9');
  try {
    await answersAll(studio.url, 'studio');
  } finally {
    await studio.dispose();
  }
}, 120_000);

test('the dashboard, over a real platform', async () => {
  const platform = await startTestPlatform({ thread: false });
  let n = 0;
  const dashboard = await startTestDashboard(
    { url: platform.url, apiKey: 'admin-key' },
    { ids: { uuid: () => `id-${n++}`, hex: () => `id${n++}` } },
  );
  try {
    await answersAll(dashboard.url, 'dashboard');
  } finally {
    await dashboard.stop();
    await platform.stop();
  }
}, 120_000);
