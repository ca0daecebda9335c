// A setting that has an unknown value or would do nothing stops the start with one line and exit 3,
// whichever way the service is started. What a contract lets pass is told in the log.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settingsReference } from '../../server/cli/settings-reference.ts';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { readPlatformConfig } from '../../server/platform/config.ts';
import { readStudioConfig } from '../../server/studio/config.ts';
import { createCli } from '../support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

const PLATFORM = ['service', 'serve', '--port', '0'];
const DASHBOARD = ['dashboard', 'serve', '--port', '0'];
const STUDIO = ['studio', 'serve', '--port', '0'];
const ALL = ['serve', '--gateway-port', '0', '--platform-port', '0'];

test.for<[words: string[], name: string, value: string]>([
  [PLATFORM, 'SERV_DURABILITY', 'paranoid'],
  [ALL, 'SERV_DURABILITY', 'paranoid'],
  [PLATFORM, 'KNEO_SERV_REQUEST_LOGS', 'flase'],
  [PLATFORM, 'SERV_OTEL_ENABLED', 'flase'],
  [DASHBOARD, 'DASH_AUTH_MODE', 'statik'],
  [STUDIO, 'STUDIO_AUTH_MODE', 'nobody'],
  [ALL, 'STUDIO_DB_URL', 'sqlite:///x.db'],
  [STUDIO, 'STUDIO_TRUSTED_PROXIES', '10.0.0.1'],
])('%o refuses %s', { timeout: 30_000 }, async ([words, name, value]) => {
  const refused = await cli.run(words, { DASH_DEV_MODE: '1', [name]: value });
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toMatch(/^specwright: [^\n]+\n$/);
  expect(refused.stderr).toContain(name.replace('KNEO_', ''));
});

test('a slip in a name is told by each service', () => {
  expect(readDashboardConfig({ DASH_CORS_ORIGNS: '[]' }).strays).toEqual([
    { setting: 'DASH_CORS_ORIGNS', meant: 'DASH_CORS_ORIGINS' },
  ]);
  expect(readStudioConfig({ STUDIO_PROJECT_LIMTI: '1' }).strays).toEqual([
    { setting: 'STUDIO_PROJECT_LIMTI', meant: 'STUDIO_PROJECT_LIMIT' },
  ]);
  expect(readDashboardConfig({ DASH_MY_OWN: '1' }).strays).toEqual([]);
});

const ignoredBy = (config: { readonly ignored: readonly { readonly setting: string }[] }) =>
  config.ignored.map(({ setting }) => setting);

test('static mode lets pass what only sign-in reads, and tells it (dashboard 2)', () => {
  const env = {
    DASH_SESSION_TTL_SECONDS: '60',
    DASH_OIDC_ISSUER: 'https://id.example',
    KNEO_DASH_SESSION_SECRET: 'x'.repeat(40),
  };
  expect(ignoredBy(readDashboardConfig(env)).sort()).toEqual([
    'DASH_OIDC_ISSUER',
    'DASH_SESSION_SECRET',
    'DASH_SESSION_TTL_SECONDS',
  ]);
  const oidc = {
    ...env,
    DASH_AUTH_MODE: 'oidc',
    KNEO_DASH_SESSION_SECRET: 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3g',
    DASH_OIDC_CLIENT_ID: 'desk',
    DASH_OIDC_CLIENT_SECRET: 'a secret',
    DASH_OIDC_REDIRECT_URL: 'https://dash.example/api/callback',
  };
  expect(ignoredBy(readDashboardConfig(oidc))).toEqual([]);
});

test('a file of variables serves every way to sign in to the studio, and tells what is not read', () => {
  const env = { STUDIO_USERS_FILE: 'a', STUDIO_OIDC_PROVIDER_FILE: 'b' };
  const unread = (mode: string) =>
    ignoredBy(readStudioConfig({ ...env, STUDIO_AUTH_MODE: mode })).sort();
  expect(unread('none')).toEqual(['STUDIO_OIDC_PROVIDER_FILE', 'STUDIO_USERS_FILE']);
  expect(unread('static')).toEqual(['STUDIO_OIDC_PROVIDER_FILE']);
  expect(unread('oidc')).toEqual(['STUDIO_USERS_FILE']);
});

test('a value that counts as not given is told (platform 10.2, studio 19)', () => {
  expect(ignoredBy(readPlatformConfig({ SERV_TOKEN_BUDGET: 'many' }))).toEqual([
    'SERV_TOKEN_BUDGET',
  ]);
  expect(ignoredBy(readPlatformConfig({ SERV_TOKEN_BUDGET: '5' }))).toEqual([]);
  const studio = readStudioConfig({ STUDIO_MAX_REQUEST_BYTES: '4MB' });
  expect([studio.maxRequestBytes, ignoredBy(studio)]).toEqual([
    4_194_304,
    ['STUDIO_MAX_REQUEST_BYTES'],
  ]);
});

test('the log of a start has one line for each, without the value', {
  timeout: 60_000,
}, async () => {
  const env = {
    DASH_DEV_MODE: '1',
    DASH_SESSION_SECRET: 'x'.repeat(40),
    SERV_TOKEN_BUDGET: 'many',
    STUDIO_MAX_REQUEST_BYTES: '4MB',
  };
  const ports = ['--dashboard-port', '0', '--studio-port', '0'];
  const served = cli.start([...ALL, ...ports, '--data', cli.file('told')], env);
  const log = path.join(cli.file('told'), 'logs', 'services.log');
  await expect
    .poll(() => (existsSync(log) ? readFileSync(log, 'utf8') : ''), { timeout: 30_000 })
    .toContain('STUDIO_MAX_REQUEST_BYTES');
  served.kill('SIGTERM');
  await once(served, 'close');
  const lines = readFileSync(log, 'utf8').split('\n');
  for (const name of Object.keys(env).slice(1)) {
    expect([name, lines.filter((line) => line.includes(name)).length]).toEqual([name, 1]);
  }
  expect(lines.join('\n')).not.toContain('x'.repeat(40));
});

test('docs/settings.md is that of the declarations; "npx node scripts/settings-reference.mjs" writes it', () => {
  const file = path.resolve(import.meta.dirname, '../../docs/settings.md');
  expect(readFileSync(file, 'utf8')).toBe(settingsReference());
});
