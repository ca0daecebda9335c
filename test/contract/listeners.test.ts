// What every listener owes a client that sends too much or leaves (RP-116; issue: 413 reaches the
// client, aborts are no errors). Real services, raw sockets.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceDoors } from '../../server/host/embedded-doors.ts';
import { readHostSettings } from '../../server/host/host-settings.ts';
import { type RunningHost, startServices } from '../../server/host/start-services.ts';
import { randomIds, systemClock } from '../../server/runtime/system-clock.ts';

const MEGABYTE = 1024 * 1024;
const complaints: unknown[] = [];
const complain = (...said: unknown[]): void => {
  complaints.push(said);
};
let folder: string;
let host: RunningHost;
let cookie: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'specwright-listeners-'));
  const ports = { gatewayPort: '0', platformPort: '0', dashboardPort: '0', studioPort: '0' };
  host = await startServices(readHostSettings({ data: folder, ...ports }, {}), {
    doors: serviceDoors,
    files: {
      migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
      ui: path.join(folder, 'none'),
      resources: path.join(folder, 'none'),
      version: '1.2.3',
    },
    clock: systemClock(),
    ids: randomIds(),
    log: () => ({ info() {}, warn: complain, error: complain, release() {} }),
  });
  const signedIn = await fetch(host.gateway.signInLink(), { redirect: 'manual' });
  cookie = signedIn.headers.getSetCookie().at(0)?.split(';').at(0) ?? '';
}, 60_000);
beforeEach(() => {
  complaints.length = 0;
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Listener {
  readonly name: string;
  readonly service: 'platform' | 'dashboard' | 'studio' | 'gateway';
  readonly method: string;
  readonly path: string;
  readonly code: string;
}

const LISTENERS: readonly Listener[] = [
  {
    name: 'platform',
    service: 'platform',
    method: 'POST',
    path: '/v1/runs',
    code: 'payload_too_large',
  },
  {
    name: 'dashboard',
    service: 'dashboard',
    method: 'POST',
    path: '/api/launch/run',
    code: 'payload_too_large',
  },
  {
    name: 'studio',
    service: 'studio',
    method: 'POST',
    path: '/api/projects',
    code: 'request_too_large',
  },
  {
    name: 'gateway, its own route',
    service: 'gateway',
    method: 'PUT',
    path: '/gateway/model-keys/OPENAI_API_KEY',
    code: 'payload_too_large',
  },
  {
    name: 'gateway, on to the platform',
    service: 'gateway',
    method: 'POST',
    path: '/platform/v1/runs',
    code: 'payload_too_large',
  },
  {
    name: 'gateway, on to the studio',
    service: 'gateway',
    method: 'POST',
    path: '/studio/api/projects',
    code: 'request_too_large',
  },
];

function connect(listener: Listener): net.Socket {
  const { port } = new URL(host.urls[listener.service]);
  const socket = net.connect({ port: Number(port), host: '127.0.0.1' });
  // The reset of a connection is seen by what was read of it.
  socket.on('error', () => undefined);
  return socket;
}

function headOf(listener: Listener, length: string, more = ''): string {
  const { host: name } = new URL(host.urls[listener.service]);
  return [
    `${listener.method} ${listener.path} HTTP/1.1`,
    `host: ${name}`,
    'content-type: application/json',
    ...(listener.service === 'gateway' ? [`cookie: ${cookie}`] : []),
    `${length}${more}`,
    '\r\n',
  ].join('\r\n');
}

async function write(socket: net.Socket, text: string | Buffer): Promise<void> {
  if (socket.destroyed || socket.write(text)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const goOn = (): void => resolve();
  socket.once('drain', goOn).once('close', goOn);
  await promise;
  socket.off('drain', goOn).off('close', goOn);
}

const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Reads nothing until everything is sent, like a client that sends its whole body first. */
async function sendThenRead(
  listener: Listener,
  how: 'declared' | 'chunked',
  parts: readonly Buffer[],
  options: { pauseMs?: number; more?: string } = {},
): Promise<string> {
  const socket = connect(listener);
  await once(socket, 'connect');
  socket.pause();
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const length = how === 'declared' ? `content-length: ${size}` : 'transfer-encoding: chunked';
  await write(socket, headOf(listener, length, options.more));
  for (const part of parts) {
    await write(socket, how === 'declared' ? part : chunkOf(part));
    if (options.pauseMs !== undefined) await sleep(options.pauseMs);
  }
  if (how === 'chunked') await write(socket, '0\r\n\r\n');
  await sleep(200);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  socket.resume();
  await Promise.race([once(socket, 'close'), sleep(5_000)]);
  socket.destroy();
  return text;
}

function expectRefused(text: string, code: string): void {
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text.toLowerCase()).toContain('x-request-id: ');
  const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
  expect(body.code ?? body.detail.error).toBe(code);
}

describe.for(LISTENERS)('413 reaches who sends first and reads then: $name', (listener) => {
  const fifty = Array.from({ length: 50 }, () => Buffer.alloc(MEGABYTE, 'x'));

  test.for(['declared', 'chunked'] as const)('50 MB, %s', async (how) => {
    expectRefused(await sendThenRead(listener, how, fifty), listener.code);
    const closing = { more: '\r\nconnection: close' };
    expectRefused(await sendThenRead(listener, how, fifty, closing), listener.code);
    expect(complaints).toEqual([]);
  });

  test.for(['declared', 'chunked'] as const)('a slow sender, %s', async (how) => {
    const slow = Array.from({ length: 15 }, () => Buffer.alloc(MEGABYTE, 'x'));
    expectRefused(await sendThenRead(listener, how, slow, { pauseMs: 100 }), listener.code);
  });

  test('who waits for the answer has it at once, and who sends for ever is cut off', async () => {
    const socket = connect(listener);
    await once(socket, 'connect');
    socket.write(headOf(listener, `content-length: ${1024 * MEGABYTE}`));
    socket.write(Buffer.alloc(MEGABYTE));
    const [first] = await once(socket.setEncoding('utf8'), 'data');
    expectRefused(String(first), listener.code);
    const begun = performance.now();
    let sent = 0;
    while (!socket.destroyed && performance.now() - begun < 15_000) {
      await write(socket, Buffer.alloc(4 * MEGABYTE));
      sent += 4;
    }
    expect(socket.destroyed).toBe(true);
    expect(sent).toBeLessThan(1024);
  }, 30_000);
});

describe.for(LISTENERS)('a client that leaves is no error in the log: $name', (listener) => {
  const BODY = JSON.stringify({ input: 'x'.repeat(10_000) });
  const PHASES: readonly (readonly [string, () => string])[] = [
    ['in the request line', () => 'POST /v1/ru'],
    ['in the headers', () => headOf(listener, 'content-length: 5').slice(0, -30)],
    ['before the body', () => headOf(listener, `content-length: ${BODY.length}`)],
    [
      'in a declared body',
      () => headOf(listener, `content-length: ${BODY.length}`) + BODY.slice(0, 5_000),
    ],
    [
      'in a chunked body',
      () => `${headOf(listener, 'transfer-encoding: chunked')}1388\r\n${BODY.slice(0, 4_000)}`,
    ],
    [
      'before the end of a chunked body',
      () => `${headOf(listener, 'transfer-encoding: chunked')}2\r\n{}\r\n`,
    ],
    ['while it waits for the answer', () => `${headOf(listener, 'content-length: 2')}{}`],
    ['in a body that is too large', () => headOf(listener, 'content-length: 99999999')],
  ];

  test.for(PHASES)('%s', async ([, text]) => {
    for (const leave of ['end', 'resetAndDestroy'] as const) {
      const socket = connect(listener);
      await once(socket, 'connect');
      await write(socket, text());
      await sleep(20);
      socket[leave]();
      await sleep(20);
      socket.destroy();
    }
    await sleep(100);
    expect(complaints).toEqual([]);
  });
});

test('a client that leaves a stream or a long run is no error either', async () => {
  const spec = {
    version: 'v1',
    agent: { name: 'a' },
    workflow: {
      type: 'sequential',
      name: 'w',
      steps: [{ id: 's', kind: 'human', ref: 'h' }],
    },
    components: { humans: { h: { description: 'ok?', request_type: 'approval' } } },
  };
  const ask = (target: string, init: RequestInit = {}) =>
    fetch(`${host.gateway.url}${target}`, {
      ...init,
      headers: { cookie, 'content-type': 'application/json' },
    });
  const body = JSON.stringify({ input: 'x', spec, async_mode: true });
  const made = await ask('/platform/v1/runs', { method: 'POST', body });
  const { run_id: runId } = (await made.json()) as { run_id: string };
  for (const target of [
    `/dashboard/api/runs/${runId}/trace/stream`,
    `/dashboard/api/runs/${runId}`,
    '/dashboard/api/runs',
    '/studio/api/projects',
    '/platform/v1/runs?limit=1000',
  ]) {
    for (const delay of [0, 2, 10, 150]) {
      const leaving = new AbortController();
      const asked = ask(target, { signal: leaving.signal }).then((answer) => answer.text());
      await sleep(delay);
      leaving.abort();
      await asked.catch(() => undefined);
    }
  }
  await sleep(300);
  expect(complaints).toEqual([]);
});

/** One request over the agent's connection; the answer is read whole. */
async function overAgent(agent: http.Agent, listener: Listener, method: string): Promise<number> {
  const { port } = new URL(host.urls[listener.service]);
  const request = http.request({
    ...{ agent, host: '127.0.0.1', port, method, path: listener.path },
    headers: { cookie, 'content-type': 'application/json' },
  });
  request.end(method === 'GET' ? undefined : '{"no":"such"}');
  const [answer] = await once(request, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

test('a connection that carries many requests gathers no listeners, also through the gateway', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  for (const listener of LISTENERS) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; turn < 30; turn += 1) {
      const status = await overAgent(agent, listener, turn % 2 === 0 ? 'GET' : listener.method);
      expect([listener.name, status < 500]).toEqual([listener.name, true]);
    }
    agent.destroy();
  }
  await sleep(1);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
