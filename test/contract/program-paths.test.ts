// What programs ask is never answered with the window's page: neither at the gateway's address nor
// at those of single services, whatever the path under /api, /v1 and the names of services is.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceDoors } from '../../server/host/embedded-doors.ts';
import { readHostSettings } from '../../server/host/host-settings.ts';
import { type RunningHost, startServices } from '../../server/host/start-services.ts';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { randomIds, systemClock } from '../../server/runtime/system-clock.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';

let folder: string;
let host: RunningHost;
let dashboard: RunningService;
let studio: StudioUnderTest;
let cookie: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-paths-'));
  const ui = path.join(folder, 'ui');
  mkdirSync(ui);
  writeFileSync(path.join(ui, 'index.html'), '<html><head><title>window</title></head></html>');
  const ports = { gatewayPort: '0', platformPort: '0', dashboardPort: '0', studioPort: '0' };
  host = await startServices(readHostSettings({ data: path.join(folder, 'data'), ...ports }, {}), {
    doors: serviceDoors,
    files: {
      migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
      ui,
      resources: path.join(folder, 'none'),
      version: '1.2.3',
    },
    clock: systemClock(),
    ids: randomIds(),
    log: () => ({ info() {}, warn() {}, error() {}, release() {} }),
  });
  const signedIn = await fetch(host.gateway.signInLink(), { redirect: 'manual' });
  cookie = signedIn.headers.getSetCookie().at(0)?.split(';').at(0) ?? '';
  const platform = { url: 'http://127.0.0.1:9' };
  dashboard = await startTestDashboard(platform, { spaDir: ui });
  studio = await startStudioUnderTest(platform.url, { spaDir: ui });
}, 60_000);

afterAll(async () => {
  await studio.dispose();
  await dashboard.stop();
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly type: string;
  readonly body: string;
}

/** Asks as a browser would; `fetch` would tidy the path up first. */
function ask(base: string, method: string, target: string): Promise<Answer> {
  const { hostname, port } = new URL(base);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { accept: 'text/html,*/*', 'sec-fetch-dest': 'document', cookie };
  const request = http.request({ hostname, port, method, path: target, headers }, (answer) => {
    let body = '';
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      body += text;
    });
    answer.once('end', () => {
      resolve({ status: answer.statusCode, type: answer.headers['content-type'] ?? '', body });
    });
  });
  request.once('error', reject);
  request.end();
  return promise;
}

/** A letter as it stands, in capitals or escaped. */
const spelled = (text: string) =>
  fc
    .array(fc.constantFrom('plain', 'plain', 'plain', 'capital', 'escaped'), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((ways) =>
      [...text]
        .map((letter, at) => {
          if (ways[at] === 'capital') return letter.toUpperCase();
          return ways[at] === 'escaped' ? `%${(letter.codePointAt(0) ?? 0).toString(16)}` : letter;
        })
        .join(''),
    );
const FIRST = ['api', 'v1', 'dashboard', 'studio', 'platform', 'gateway', 'metrics', 'assets'];
const segment = fc.oneof(
  fc.constantFrom(
    'api',
    'v1',
    'runs',
    'me',
    'projects',
    'none',
    'x.html',
    'index.html',
    '..',
    '%2e',
  ),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);
const programPath = fc
  .tuple(
    fc.constantFrom('/', '/', '//', '/./'),
    fc.oneof(fc.constantFrom(...FIRST), fc.constantFrom(...FIRST).chain(spelled)),
    fc.array(segment, { maxLength: 4 }),
    fc.constantFrom('', '/', '?x=1', '?next=/index.html'),
  )
  .map(([start, first, rest, end]) => `${start}${[first, ...rest].join('/')}${end}`);

const PLACES = [
  ['the gateway', () => host.gateway.url],
  ['the dashboard', () => dashboard.url],
  ['the studio', () => studio.url],
] as const;

describe.each(PLACES)('at the address of %s (OD-001, OD-004)', (_name, base) => {
  test('no path of programs is answered with a page', { timeout: 60_000 }, async () => {
    const method = fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'DELETE');
    await fc.assert(
      fc.asyncProperty(method, programPath, async (verb, target) => {
        const { type, body } = await ask(base(), verb, target);
        expect([target, type]).toEqual([target, expect.not.stringContaining('html')]);
        expect(body).not.toContain('<html');
      }),
      { numRuns: 300 },
    );
  });

  test('a place of the window is answered with the page', async () => {
    for (const place of ['/', '/runs', '/operate/audit?tab=operators', '/apiary', '/v10']) {
      const { status, type } = await ask(base(), 'GET', place);
      expect([place, status, type]).toEqual([place, 200, expect.stringContaining('text/html')]);
    }
  });
});
