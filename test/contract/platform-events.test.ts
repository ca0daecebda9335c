// Events out (docs/events.md): signed requests to real receivers on loopback.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec, TINY } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

const SCRIPT = fileURLToPath(new URL('../support/events-process.ts', import.meta.url));

interface Got {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

interface Receiver {
  readonly url: string;
  readonly got: Got[];
  /** What it answers next; `hang` answers never. */
  answer: number | 'hang';
  close(): Promise<void>;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function receiver(): Promise<Receiver> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      made.got.push({ headers: request.headers, body });
      if (made.answer === 'hang') return;
      response.writeHead(made.answer, made.answer === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const made: Receiver = {
    url: `http://127.0.0.1:${port}/hook?token=t0p`,
    got: [],
    answer: 204,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  opened.push(made);
  return made;
}

async function platform(env: Record<string, string> = {}): Promise<TestPlatform> {
  const p = await startTestPlatform({
    env: {
      SERV_EVENTS_PRIVATE_ADDRESSES: 'true',
      SERV_EVENTS_RETRY_SECONDS: '0.05',
      SERV_EVENTS_MAX_ATTEMPTS: '2',
      SERV_EVENTS_TIMEOUT_SECONDS: '0.5',
      ...env,
    },
  });
  opened.push({ close: () => p.stop() });
  return p;
}

async function subscribe(p: TestPlatform, url: string, over: Loose = {}): Promise<Loose> {
  const answer = await p.post('/v1/webhooks', { url, ...over });
  expect(answer.status).toBe(201);
  return answer.body;
}

const run = (p: TestPlatform, spec: unknown = TINY) =>
  p.post('/v1/runs', { input: 'my secret text', spec });

const deliveries = async (p: TestPlatform, query = ''): Promise<Loose[]> =>
  (await p.get(`/v1/webhooks/deliveries${query}`)).body.deliveries;

function verifies({ headers, body }: Got, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

describe('what is told', () => {
  test('a run that ended and a task that was made, signed, without the texts of the run', async () => {
    const p = await platform();
    const hook = await receiver();
    const { webhook, secret } = await subscribe(p, hook.url);
    const ended = await run(p);
    const blocked = await run(p, humanSpec());
    await expect.poll(() => hook.got.length, { timeout: 10_000 }).toBe(2);
    const events = hook.got.map(({ body }) => JSON.parse(body));
    expect(events).toContainEqual({
      type: 'run.ended',
      timestamp: expect.any(String),
      data: expect.objectContaining({ run_id: ended.body.run_id, status: 'completed' }),
    });
    expect(events).toContainEqual({
      type: 'task.created',
      timestamp: expect.any(String),
      data: expect.objectContaining({ continuation_id: blocked.body.continuation_id }),
    });
    for (const got of hook.got) {
      expect(verifies(got, secret)).toBe(true);
      expect(got.body).not.toContain('my secret text');
      const age = Date.now() / 1000 - Number(got.headers['webhook-timestamp']);
      expect(Math.abs(age)).toBeLessThan(60);
    }
    await expect.poll(async () => (await deliveries(p, '?status=delivered')).length).toBe(2);
    // Nothing that is asked later shows the secret, and the store holds it sealed.
    const later = await p.get('/v1/webhooks');
    expect(later.body.webhooks).toMatchObject([{ id: webhook.id, waiting: 0, dead: 0 }]);
    const audit = await p.get('/v1/audit-events?event_type=webhook.created');
    expect(audit.body.total).toBe(1);
    const db = await openStored(p.file);
    const stored = JSON.stringify(db.prepare('SELECT * FROM webhooks').all());
    await db.close();
    const key = secret.replace('whsec_', '');
    expect(later.text + audit.text + stored + JSON.stringify(p.logs)).not.toContain(key);
    expect(audit.text).not.toContain('t0p');
  });

  test('a deadline that is near is told once', async () => {
    const p = await platform({ SERV_EVENTS_DEADLINE_SECONDS: '300' });
    const hook = await receiver();
    await subscribe(p, hook.url, { events: ['deadline.near'] });
    const blocked = await run(p, humanSpec());
    await expect.poll(() => hook.got.length, { timeout: 20_000 }).toBe(1);
    expect(JSON.parse(hook.got[0]?.body ?? '')).toMatchObject({
      type: 'deadline.near',
      data: { run_id: blocked.body.run_id, of: 'task', due_at: expect.any(Number) },
    });
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(hook.got.length).toBe(1);
  });

  test('a new secret signs beside the one before', async () => {
    const p = await platform();
    const hook = await receiver();
    const { webhook, secret } = await subscribe(p, hook.url);
    const rotated = (await p.post(`/v1/webhooks/${webhook.id}/rotate`)).body;
    expect(rotated.secret).not.toBe(secret);
    await run(p);
    await expect.poll(() => hook.got.length, { timeout: 10_000 }).toBe(1);
    for (const each of [secret, rotated.secret]) {
      expect(hook.got.every((got) => verifies(got, each))).toBe(true);
    }
  });
});

describe('receivers that do not take it', () => {
  test.each([
    ['refuses', 500, 'answered 500'],
    ['redirects', 302, 'redirects are not followed'],
    ['hangs', 'hang', 'did not answer within 0.5 s'],
  ] as const)(
    'one that %s: tried again, given up, shown, and sent again when asked',
    async (_what, status, said) => {
      const p = await platform();
      const [bad, good] = [await receiver(), await receiver()];
      bad.answer = status;
      const { webhook } = await subscribe(p, bad.url);
      await subscribe(p, good.url);
      await run(p);
      await expect.poll(() => good.got.length, { timeout: 10_000 }).toBe(1);
      await expect
        .poll(async () => (await deliveries(p, '?status=dead')).length, { timeout: 20_000 })
        .toBe(1);
      const [dead] = await deliveries(p, `?status=dead&webhook_id=${webhook.id}`);
      expect(dead).toMatchObject({ attempts: 2, type: 'run.ended' });
      expect(dead.last_error).toContain(said);
      const known = async () => (await p.get('/v1/webhooks')).body.webhooks[0];
      expect(await known()).toMatchObject({
        last_success_at: null,
        last_failure_at: expect.any(String),
        last_failure: dead.last_error,
      });
      const ids = bad.got.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(1);
      const { events } = (await p.get('/v1/readyz')).body.metadata.checks;
      expect(events).toMatchObject({ ok: true, degraded: true, dead: 1 });
      bad.answer = 200;
      const repeated = await p.post(`/v1/webhooks/${webhook.id}/repeat`, {
        event_id: dead.event_id,
      });
      expect(repeated.body).toEqual({ repeated: 1 });
      await expect
        .poll(async () => (await deliveries(p, '?status=delivered')).length, { timeout: 10_000 })
        .toBe(2);
      expect((await known()).last_success_at).toEqual(expect.any(String));
      expect((await p.get('/v1/audit-events?event_type=webhook.repeated')).body.total).toBe(1);
    },
  );

  test('410: it is told nothing more, and says so', async () => {
    const p = await platform();
    const hook = await receiver();
    hook.answer = 410;
    const { webhook } = await subscribe(p, hook.url);
    await run(p);
    await expect
      .poll(async () => (await p.get('/v1/webhooks')).body.webhooks[0].enabled, { timeout: 10_000 })
      .toBe(false);
    await run(p);
    expect(await deliveries(p, `?webhook_id=${webhook.id}`)).toMatchObject([{ status: 'dead' }]);
    expect(hook.got.length).toBe(1);
  });
});

describe('who may be told', () => {
  test('no address of this machine or its network, in digits or by name', async () => {
    const p = await platform({ SERV_EVENTS_PRIVATE_ADDRESSES: 'false' });
    for (const url of [
      'https://127.0.0.1/x',
      'https://10.1.2.3/x',
      'https://169.254.169.254/x',
      'https://[::1]/x',
      'https://[::ffff:127.0.0.1]/x',
      'https://2130706433/x',
      'http://example.com/x',
    ]) {
      expect([url, (await p.post('/v1/webhooks', { url })).status]).toEqual([url, 400]);
    }
    // A name is looked up when it is connected to.
    const { webhook } = await subscribe(p, 'https://localhost:9/x');
    await run(p);
    await expect
      .poll(async () => (await deliveries(p, `?webhook_id=${webhook.id}`))[0]?.last_error, {
        timeout: 10_000,
      })
      .toContain('SERV_EVENTS_PRIVATE_ADDRESSES');
  });

  test('rights: an operator reads, only who may everything writes', async () => {
    const p = await platform();
    const hook = await receiver();
    const body = { url: hook.url };
    expect((await p.get('/v1/webhooks', { key: 'operator-key' })).status).toBe(200);
    expect((await p.get('/v1/webhooks', { key: 'viewer-key' })).status).toBe(403);
    expect((await p.post('/v1/webhooks', body, { key: 'operator-key' })).status).toBe(403);
    const { webhook } = await subscribe(p, hook.url);
    const changed = await p.call('PUT', `/v1/webhooks/${webhook.id}`, {
      body: { url: hook.url, enabled: false, events: ['run.ended'] },
    });
    expect(changed.body).toMatchObject({ enabled: false, events: ['run.ended'] });
    await run(p);
    expect((await p.call('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(200);
    expect((await p.call('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(404);
    expect(hook.got).toEqual([]);
  });

  test('an event that nobody could be told of before a stop is told after the next start', async () => {
    const p = await platform();
    const hook = await receiver();
    hook.answer = 'hang';
    const { secret } = await subscribe(p, hook.url);
    const ended = await run(p);
    await p.service.stop();
    hook.answer = 200;
    hook.got.length = 0;
    const next = await startTestPlatform({
      file: p.file,
      env: { SERV_EVENTS_PRIVATE_ADDRESSES: 'true' },
    });
    opened.push({ close: () => next.stop() });
    await expect.poll(() => hook.got.length, { timeout: 20_000 }).toBe(1);
    const [got] = hook.got;
    expect(got !== undefined && verifies(got, secret)).toBe(true);
    expect(JSON.parse(got?.body ?? '').data.run_id).toBe(ended.body.run_id);
  });

  test('kill -9 right after the answers: every acknowledged end is told', async () => {
    const hook = await receiver();
    const folder = mkdtempSync(path.join(tmpdir(), 'events-'));
    const file = path.join(folder, 'platform.db');
    const child = spawn(process.execPath, [SCRIPT, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    opened.push({
      async close() {
        child.kill('SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const send = async (route: string, body: unknown): Promise<Loose> => {
      const headers = { authorization: 'Bearer admin-key', 'content-type': 'application/json' };
      const url = `${line.toString().trim()}${route}`;
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };
    await send('/v1/webhooks', { url: hook.url, events: ['run.ended'] });
    const body = { input: 'x', spec: TINY };
    const ended = await Promise.all(Array.from({ length: 12 }, () => send('/v1/runs', body)));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const p = await startTestPlatform({ file, env: { SERV_EVENTS_PRIVATE_ADDRESSES: 'true' } });
    opened.push({ close: () => p.stop() });
    const told = () => new Set(hook.got.map((got) => JSON.parse(got.body).data.run_id));
    const all = new Set(ended.map(({ run_id }) => run_id));
    await expect.poll(told, { timeout: 30_000 }).toEqual(all);
  });
});
