// Saved filters by their version, and /me as what decides (contract/dashboard.md 5, 7, 15).
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Route } from '../../server/contract/route.ts';
import { CAPABILITIES } from '../../server/dashboard/access/capabilities.ts';
import {
  ask,
  clock,
  dashboard,
  folder,
  freshDashboards,
  get,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

type Dashboard = ReturnType<typeof dashboard>;

const CONFLICT = { status: 409, body: { code: 'dashboard_state_conflict' } };
const MISSING = { status: 404, body: { code: 'not_found' } };

async function made(to: Dashboard): Promise<Loose> {
  const filter = { name: 'mine', filters: { status: 'failed', deep: { a: [1] } } };
  return (await send(to, 'POST', '/api/saved-filters', filter)).body;
}
const listed = async (to: Dashboard): Promise<Loose[]> =>
  (await get(to, '/api/saved-filters')).body;

test('a saved filter is replaced as a whole, by exactly the version that was read (OD-064)', async () => {
  const to = dashboard();
  const before = await made(to);
  const row = `/api/saved-filters/${before.id}`;
  const change = { name: 'new', filters: { q: 'x' } };
  const refused: [object, number][] = [
    [change, 422],
    [{ ...change, version: 0 }, 422],
    [{ ...change, version: null }, 422],
    [{ filters: {}, version: 1 }, 422],
    [{ ...change, name: 'n'.repeat(121), version: 1 }, 422],
    [{ ...change, filters: { k: 'x'.repeat(16_384) }, version: 1 }, 422],
    [{ ...change, filters: [], version: 1 }, 422],
  ];
  for (const [body, status] of refused) {
    const answer = await send(to, 'PUT', row, body);
    expect([body, answer.status]).toEqual([body, status]);
  }
  expect(await send(to, 'PUT', '/api/saved-filters/none', { ...change, version: 1 })).toMatchObject(
    MISSING,
  );
  expect(await send(to, 'PUT', row, { ...change, version: 2 })).toMatchObject(CONFLICT);
  expect(await listed(to)).toEqual([before]);
  clock.now += 1000;
  const { status, body: after } = await send(to, 'PUT', row, { ...change, version: 1 });
  expect(status).toBe(200);
  expect(after).toEqual({ ...before, ...change, version: 2, updated_at: after.updated_at });
  expect(after.updated_at > before.updated_at).toBe(true);
  expect(await send(to, 'PUT', row, { ...change, version: 1 })).toMatchObject(CONFLICT);
  expect(await listed(to)).toEqual([after]);
});

test('of two changes of one version one is made and the other is told so (OD-064, OD-065)', async () => {
  const to = dashboard();
  const row = `/api/saved-filters/${(await made(to)).id}`;
  const put = (name: string, version: number) => send(to, 'PUT', row, { name, version });
  const both = await Promise.all([put('one', 1), put('two', 1)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const won = both.find(({ status }) => status === 200);
  expect(await listed(to)).toEqual([won?.body]);
  const mixed = await Promise.all([put('three', 2), ask(to, 'DELETE', `${row}?version=2`)]);
  const [change, removal] = mixed.map(({ status }) => status);
  expect([
    [200, 409],
    [404, 204],
  ]).toContainEqual([change, removal]);
});

test('a saved filter is removed by exactly the version that was read, and no other goes (OD-065)', async () => {
  const to = dashboard();
  const [one, other] = [await made(to), await made(to)];
  const row = `/api/saved-filters/${one.id}`;
  for (const query of [
    '',
    '?version=',
    '?version=0',
    '?version=-1',
    '?version=x',
    '?version=1.5',
  ]) {
    expect([query, (await ask(to, 'DELETE', `${row}${query}`)).status]).toEqual([query, 422]);
  }
  expect(await ask(to, 'DELETE', '/api/saved-filters/none?version=1')).toMatchObject(MISSING);
  expect(await ask(to, 'DELETE', `${row}?version=2`)).toMatchObject(CONFLICT);
  expect(await listed(to)).toHaveLength(2);
  expect(await ask(to, 'DELETE', `${row}?version=1`)).toMatchObject({ status: 204, body: '' });
  expect(await ask(to, 'DELETE', `${row}?version=1`)).toMatchObject(MISSING);
  expect(await listed(to)).toEqual([other]);
});

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'service' in value && 'responses' in value;
const GATED = Object.values(
  import.meta.glob<Record<string, unknown>>('../../server/contract/dashboard/*.ts', {
    eager: true,
  }),
)
  .flatMap((module) => Object.values(module).filter(isRoute))
  .filter(({ access }) => CAPABILITIES.some((name) => name === access));

test('what /me lists is what is allowed, whatever the map says, from the next request on (OD-143)', async () => {
  const databaseFile = path.join(folder, 'd.db');
  const admin = dashboard({ databaseFile });
  const viewer = dashboard({ databaseFile, env: { DASH_STATIC_OPERATOR_ROLE: 'viewer' } });
  const maps = [[], ...CAPABILITIES.map((name) => [name]), [...CAPABILITIES].reverse()];
  for (const [version, given] of maps.entries()) {
    const capabilities = { admin: ['settings.write'], viewer: given };
    const put = await send(admin, 'PUT', '/api/settings/access', { capabilities, version });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    const told = (await get(viewer, '/api/me')).body.capabilities;
    expect(told).toEqual([...given].sort());
    for (const { access, id, method, path: route } of GATED) {
      const at = `/api${route.replace(/\{\w+\}/g, 'none')}`;
      // A body that no route takes: whoever is let in is told so, and changes nothing.
      const { status } = await send(viewer, method, at, method === 'GET' ? undefined : { zzz: 1 });
      expect([id, given, status !== 403]).toEqual([id, given, told.includes(access)]);
    }
  }
});
