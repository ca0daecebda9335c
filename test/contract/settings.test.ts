// A setting that is misspelled, has an unknown value or would do nothing stops the start with one
// line and exit 3, whichever way the service is started.
import { afterAll, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
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
  [PLATFORM, 'SERV_OTEL_ENABLED', 'true'],
  [DASHBOARD, 'DASH_AUTH_MODE', 'statik'],
  [ALL, 'DASH_SESSION_SECRET', 'x'.repeat(40)],
  [STUDIO, 'STUDIO_AUTH_MODE', 'nobody'],
  [ALL, 'STUDIO_DB_URL', 'sqlite:///x.db'],
  [STUDIO, 'STUDIO_USERS_FILE', 'users.json'],
])('%o refuses %s', { timeout: 30_000 }, async ([words, name, value]) => {
  const refused = await cli.run(words, { DASH_DEV_MODE: '1', [name]: value });
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toMatch(/^specwright: [^\n]+\n$/);
  expect(refused.stderr).toContain(name.replace('KNEO_', ''));
  expect(refused.stderr).not.toContain('x'.repeat(40));
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

test('what only sign-in would read is refused by its name (dashboard 2)', () => {
  for (const name of ['DASH_SESSION_TTL_SECONDS', 'DASH_OIDC_ISSUER', 'KNEO_DASH_SESSION_SECRET']) {
    expect(() => readDashboardConfig({ [name]: '1' })).toThrow(/unset it/);
  }
  expect(() =>
    readDashboardConfig({ DASH_AUTH_MODE: 'oidc', DASH_OIDC_ISSUER: 'x' }),
  ).not.toThrow();
});
