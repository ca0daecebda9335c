// Receivers of the platform's events and what was given up, over the dashboard (docs/events.md).
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';

let platform: TestPlatform;
const receiver = { status: 500, url: '', server: http.createServer() };
const dashboards: RunningService[] = [];

async function dashboard(role: string): Promise<string> {
  const config = readDashboardConfig({
    DASH_DEV_MODE: '1',
    XDG_CONFIG_HOME: '/nonexistent',
    DASH_STATIC_OPERATOR_ROLE: role,
  });
  const service = await startTestDashboard({ url: platform.url, apiKey: 'admin-key' }, { config });
  dashboards.push(service);
  return `${service.url}/api`;
}

let admin: string;
let viewer: string;
beforeAll(async () => {
  receiver.server.on('request', (_request, response) => response.writeHead(receiver.status).end());
  await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.server.address() as AddressInfo;
  receiver.url = `http://127.0.0.1:${port}/hook?token=t0p`;
  platform = await startTestPlatform({
    env: {
      SERV_EVENTS_PRIVATE_ADDRESSES: 'true',
      SERV_EVENTS_RETRY_SECONDS: '0.05',
      SERV_EVENTS_MAX_ATTEMPTS: '2',
    },
  });
  [admin, viewer] = await Promise.all([dashboard('admin'), dashboard('viewer')]);
});
afterAll(async () => {
  for (const service of dashboards) await service.stop();
  await platform.stop();
  receiver.server.closeAllConnections();
  await new Promise((resolve) => receiver.server.close(resolve));
});

async function ask(url: string, method = 'GET', body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: Loose = await response.json();
  return { status: response.status, body: parsed };
}

test('a receiver is added, told, given up, repeated, paused, given a new secret and removed', async () => {
  const made = await ask(`${admin}/webhooks`, 'POST', { url: receiver.url, events: ['run.ended'] });
  expect(made.status).toBe(201);
  const { webhook, secret } = made.body;
  const at = `${admin}/webhooks/${webhook.id}`;
  await platform.post('/v1/runs', { input: 'x', spec: TINY });
  const dead = async () => (await ask(`${admin}/webhooks/dead-letters`)).body;
  await expect.poll(async () => (await dead()).total, { timeout: 20_000 }).toBe(1);
  const [letter] = (await dead()).rows;
  expect(letter).toMatchObject({ webhook_id: webhook.id, type: 'run.ended', attempts: 2 });
  const listed = async () => (await ask(`${admin}/webhooks`)).body.webhooks[0];
  expect(await listed()).toMatchObject({ dead: 1, last_failure: letter.last_error });
  expect(JSON.stringify(await listed())).not.toContain(secret);

  receiver.status = 204;
  const repeated = await ask(`${at}/repeat`, 'POST', { event_id: letter.event_id });
  expect(repeated.body).toEqual({ repeated: 1 });
  await expect
    .poll(async () => (await listed()).last_success_at, { timeout: 10_000 })
    .toEqual(expect.any(String));
  expect(await dead()).toEqual({ rows: [], total: 0 });

  const paused = { url: receiver.url, events: ['run.ended'], enabled: false };
  expect((await ask(at, 'PUT', paused)).body).toMatchObject({ enabled: false });
  expect((await ask(`${at}/rotate`, 'POST')).body.secret).not.toBe(secret);
  const own = await ask(`${admin}/audit-log`);
  const rows = own.body.entries.map(({ action, target }: Loose) => [action, target]);
  expect(rows.sort()).toEqual(
    ['create', 'put', 'repeat', 'rotate'].map((what) => [`webhook.${what}`, webhook.id]),
  );
  expect((await ask(at, 'DELETE')).body).toEqual({ id: webhook.id });
  expect((await ask(at, 'DELETE')).status).toBe(404);
});

test('who may not change receivers sees their host alone, and is refused', async () => {
  const { webhook } = (await ask(`${admin}/webhooks`, 'POST', { url: receiver.url })).body;
  const list = await ask(`${viewer}/webhooks`);
  expect(list.body.webhooks).toMatchObject([{ id: webhook.id }]);
  expect(JSON.stringify(list.body)).not.toContain('t0p');
  const { host } = new URL(receiver.url);
  expect(list.body.webhooks[0].url).toBe(`http://${host}/…`);
  expect((await ask(`${viewer}/webhooks/dead-letters`)).status).toBe(200);
  const at = `${viewer}/webhooks/${webhook.id}`;
  for (const [method, url, body] of [
    ['POST', `${viewer}/webhooks`, { url: receiver.url }],
    ['PUT', at, { url: receiver.url }],
    ['DELETE', at, undefined],
    ['POST', `${at}/rotate`, undefined],
    ['POST', `${at}/repeat`, {}],
  ] as const) {
    const answer = await ask(url, method, body);
    expect([method, url, answer.status, answer.body.code]).toEqual([method, url, 403, 'forbidden']);
  }
});

test('an address that is none for events is refused', async () => {
  const answer = await ask(`${admin}/webhooks`, 'POST', { url: 'ftp://example.com/' });
  expect(answer.status).toBe(422);
});
