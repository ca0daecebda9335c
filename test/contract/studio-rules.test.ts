// What holds for every route of the studio: the tables of studio.md 2, 3 and 5.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../server/contract/route.ts';
import { STUDIO_ERRORS } from '../../server/contract/studio/errors.ts';
import type { Loose } from '../support/platform.ts';
import {
  auditRows,
  authored,
  freshStudios,
  importFile,
  inStore,
  readyArtifact,
  SPEC,
  studio,
  TIME,
} from '../support/studio-world.ts';

freshStudios();

const page = readFileSync(new URL('../../docs/contract/studio.md', import.meta.url), 'utf8');
const section = (from: string, to: string) => page.slice(page.indexOf(from), page.indexOf(to));

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'service' in value && value.service === 'studio';
const ROUTES = Object.values(
  import.meta.glob<Record<string, unknown>>('../../server/contract/studio/*.ts', { eager: true }),
).flatMap((module) => Object.values(module).filter(isRoute));

/** The route with ids that nobody has, in the project `default`. */
const address = (route: Route) =>
  `/api${route.path.replace('{project_id}', 'default').replace(/\{\w+\+?\}/g, 'none')}`;

const GRADES = ['viewer', 'editor', 'owner'];

describe('the table of routes', () => {
  /** Rows of studio.md 2: method, path in the declarations' spelling, role. */
  const rows = [
    ...section('## 2. Routes', '## 3. ').matchAll(/^\| \d+ \| (\w+) (\S+)[^|]*\| ([^|]+) \|/gm),
  ];
  const shape = (path: string) =>
    path
      .replace(/\?.*$/, '')
      .replace(/^…/, '/api/projects/{p}')
      .replace(/^\/api/, '')
      .replace(/\{\w+\+?\}/g, '{}');

  test('is that of the declarations: method, path and role (AS-133, AS-148)', () => {
    expect(rows).toHaveLength(60);
    const declared = new Map(
      ROUTES.map((route) => [`${route.method} ${shape(route.path)}`, route.access]),
    );
    for (const [, method, path = '', role = ''] of rows) {
      const key = `${method} ${shape(path)}`;
      const access = declared.get(key);
      expect([key, access]).not.toEqual([key, undefined]);
      expect([key, GRADES.includes(String(access)) ? access : '-']).toEqual([
        key,
        role.replace('*', '').replace('session', '-'),
      ]);
    }
    expect(ROUTES.filter(({ path }) => /^\/v\d/.test(path))).toEqual([]);
  });

  test('a role below that of the route is refused, whatever is asked; one that suffices is not (AS-134)', async () => {
    await authored('a.yaml', SPEC);
    for (const [grade, name] of GRADES.entries()) {
      await inStore('UPDATE project_member SET role = ?', name);
      for (const route of ROUTES.filter(({ access }) => GRADES.includes(String(access)))) {
        const body = ['GET', 'DELETE'].includes(route.method) ? undefined : { nonsense: 1 };
        const answer = await studio.call(route.method, address(route), body);
        const refused = answer.status === 403 && answer.body.code === 'forbidden';
        expect([name, route.id, refused]).toEqual([
          name,
          route.id,
          GRADES.indexOf(String(route.access)) > grade,
        ]);
      }
    }
  });

  test('bodies are closed, except that of an import (AS-019)', async () => {
    const closed = ROUTES.filter(({ body, access }) => body !== undefined && access !== null);
    expect(closed.length).toBeGreaterThan(15);
    for (const route of closed) {
      const answer = await studio.call(route.method, address(route), { zzz: 1 });
      const errors: Loose[] = answer.body.details?.errors ?? [];
      const named = errors.some(
        ({ loc, type }) => type === 'extra_forbidden' && loc.join('.') === 'body.zzz',
      );
      expect([route.id, named]).toEqual([route.id, route.id !== 'import_source']);
    }
  });
});

test('every code of the contract is one that the studio has, with its status (AS-146)', () => {
  const table = section('### 3.1', '### 3.2');
  const LATER = [
    ...['invalid_credentials', 'not_admitted', 'bootstrap_consumed', 'too_many_failed_attempts'],
    ...['login_capacity_exhausted', 'too_many_login_starts', 'too_many_login_attempts'],
    ...['untrusted_forwarding', 'invalid_state', 'expired_attempt', 'provider_error'],
  ];
  const codes = [...table.matchAll(/^\| ([a-z_, ]+?)(?: \/ [a-z_]+)? \| (\d{3})/gm)];
  expect(codes.length).toBeGreaterThan(60);
  const known = new Map(Object.entries(STUDIO_ERRORS).map(([code, { status }]) => [code, status]));
  const wrong = codes.flatMap(([, names = '', status]) =>
    names
      .split(', ')
      .filter((name) => !LATER.includes(name) && known.get(name) !== Number(status))
      .map((name) => `${name} ${status}, here ${known.get(name)}`),
  );
  expect(wrong).toEqual([]);
});

test('what happened is told by audit rows: who, when and what (AS-137)', async () => {
  await readyArtifact();
  await importFile('two-agents-sequential');
  const rows = await auditRows();
  expect(rows.map(({ action }) => action)).toEqual([
    'register_draft',
    'assert_not_applicable',
    'create_artifact',
    'import_artifact',
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ principal_id: 'local-owner', outcome: 'allowed' });
    expect(row.at).toMatch(TIME);
  }
});
