// The table of contract/platform.md 2, and a platform whose keys hold each role and each scope.
import { afterAll, beforeAll } from 'vitest';
import { type Answer, type Loose, startTestPlatform, type TestPlatform } from './platform.ts';
import { TINY } from './specs.ts';

const ASKING = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'gate',
    steps: [
      { id: 'check', kind: 'human', ref: 'lead' },
      { id: 'close', kind: 'agent', ref: 'writer' },
    ],
  },
  components: { agents: { writer: { name: 'writer' } }, humans: { lead: { description: 'Ok?' } } },
};

interface Row {
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
  readonly query?: readonly string[];
  readonly body?: unknown;
}

const LIST = ['limit', 'offset', 'sort_by', 'sort_order'];

/** The table of contract/platform.md 2. */
export const ROUTES: readonly Row[] = [
  { method: 'POST', path: '/runs', scope: 'runs:write', body: { input: 'x', spec: TINY } },
  {
    method: 'GET',
    path: '/runs',
    scope: 'runs:read',
    query: [
      'status',
      'workflow_kind',
      'workflow_name',
      'session_id',
      'has_error',
      'created_after',
      'created_before',
      'q',
      ...LIST,
    ],
  },
  { method: 'GET', path: '/runs/{run_id}', scope: 'runs:read' },
  { method: 'POST', path: '/runs/{run_id}/cancel', scope: 'runs:write' },
  { method: 'POST', path: '/runs/{run_id}/continue', scope: 'runs:write' },
  { method: 'GET', path: '/runs/{run_id}/recovery', scope: 'runs:read' },
  { method: 'GET', path: '/runs/{run_id}/replay', scope: 'runs:read' },
  { method: 'GET', path: '/runs/{run_id}/graph', scope: 'runs:read' },
  { method: 'GET', path: '/runs/{run_id}/policy-report', scope: 'runs:read' },
  {
    method: 'GET',
    path: '/runs/{run_id}/trace',
    scope: 'runs:read',
    query: ['event_type', ...LIST],
  },
  {
    method: 'GET',
    path: '/runs/{run_id}/items',
    scope: 'runs:read',
    query: ['offset', 'limit'],
  },
  {
    method: 'GET',
    path: '/runs/{run_id}/checkpoints',
    scope: 'runs:read',
    query: ['type', ...LIST],
  },
  {
    method: 'GET',
    path: '/runs/{run_id}/checkpoints/diff',
    scope: 'runs:read',
    query: ['from_sequence', 'to_sequence'],
  },
  { method: 'POST', path: '/specs/run', scope: 'runs:write', body: { input: 'x', spec: TINY } },
  { method: 'POST', path: '/specs/validate', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/compile', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/explain', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/graph', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/policy-report', scope: 'specs:read', body: { spec: TINY } },
  { method: 'GET', path: '/skills', scope: 'specs:read', query: LIST },
  {
    method: 'GET',
    path: '/human-tasks',
    scope: 'human:read',
    query: ['run_id', 'workflow_kind', 'status', ...LIST],
  },
  { method: 'GET', path: '/human-tasks/{continuation_id}', scope: 'human:read' },
  {
    method: 'POST',
    path: '/human-tasks/{continuation_id}/resume',
    scope: 'human:write',
    body: { request_id: 'x', decision: 'approved' },
  },
  {
    method: 'GET',
    path: '/audit-events',
    scope: 'audit:read',
    query: ['event_type', 'run_id', ...LIST],
  },
  {
    method: 'GET',
    path: '/security/credentials',
    scope: 'credentials:read',
    query: ['providers', 'extras', 'include_service_tokens'],
  },
  { method: 'GET', path: '/policies/environment', scope: 'policies:read' },
  { method: 'GET', path: '/policies/environment/{environment}', scope: 'policies:read' },
  { method: 'PUT', path: '/policies/environment/{environment}', scope: 'policies:write', body: {} },
  {
    method: 'POST',
    path: '/policies/environment/{environment}/preview',
    scope: 'policies:read',
    body: {},
  },
  { method: 'GET', path: '/healthz', scope: null },
  { method: 'GET', path: '/livez', scope: null },
  { method: 'GET', path: '/readyz', scope: null },
];

/** The table of contract/platform.md 7. */
export const ROLES: Readonly<Record<string, readonly string[]>> = {
  operator: [
    'runs:read',
    'runs:write',
    'specs:read',
    'human:read',
    'audit:read',
    'credentials:read',
    'policies:read',
    'policies:write',
  ],
  service: [
    'runs:read',
    'runs:write',
    'specs:read',
    'human:read',
    'human:write',
    'audit:read',
    'credentials:read',
    'policies:read',
  ],
  reviewer: ['runs:read', 'human:read', 'human:write', 'audit:read'],
  viewer: ['runs:read', 'specs:read', 'human:read', 'audit:read'],
};

export let p: TestPlatform;
export let ids: Readonly<Record<string, string>>;

/** Keys of every role, of every scope alone, and of all scopes but one. */
function apiKeys(): string {
  const roles = ['admin', ...Object.keys(ROLES)].map((role) => `${role}:${role}-key:${role}`);
  const scopes = [...new Set(Object.values(ROLES).flat())];
  const single = scopes.flatMap((scope) => {
    const name = scope.replace(':', '-');
    const others = scopes.filter((other) => other !== scope).join(',');
    return [`only-${name}:only-${name}:${scope}`, `without-${name}:without-${name}:${others}`];
  });
  return [...roles, ...single].join(';');
}

export function keyOf(row: Row): string {
  return (row.scope ?? '').replace(':', '-');
}
export function pathOf(row: Row, over: Readonly<Record<string, string>> = {}): string {
  return row.path.replace(/\{(\w+)\}/g, (_all, name: string) => over[name] ?? ids[name] ?? '');
}

export function send(row: Row, options: Loose = {}, prefix = '/v1', suffix = ''): Promise<Answer> {
  return p.call(row.method, `${prefix}${pathOf(row, options.ids)}${suffix}`, {
    ...(row.body === undefined ? {} : { body: row.body }),
    ...options,
  });
}

export const named = ROUTES.map((row) => [`${row.method} ${row.path}`, row] as const);
export const guarded = named.filter(([, row]) => row.scope !== null);

/** One platform for all tests of the file that calls this. */
export function shareRoutePlatform(): void {
  beforeAll(async () => {
    p = await startTestPlatform({
      env: { SERV_SWEEP_INTERVAL_SECONDS: '0', SERV_API_KEYS: apiKeys() },
    });
    const blocked = await p.post('/v1/runs', { input: 'x', spec: ASKING });
    ids = {
      run_id: blocked.body.run_id,
      continuation_id: blocked.body.continuation_id,
      environment: 'staging',
    };
  });
  afterAll(() => p.stop());
}
