// Peers that send little, or nothing, on all four listeners of a running program (slow loris).
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { type Served, serve } from '../support/served.ts';

const LISTENERS = ['platform', 'dashboard', 'studio', 'gateway'] as const;
const SECONDS = 20;

let cli: Cli;
let served: Served;
beforeAll(async () => {
  cli = createCli();
  served = await serve(cli);
}, 60_000);
afterAll(async () => {
  await served?.stop();
  cli?.dispose();
});

/** How long a listener bears a peer that sends one more header line a second, or nothing at all. */
function patience(url: string, begin: string): Promise<{ ms: number; said: string }> {
  const { promise, resolve } = Promise.withResolvers<{ ms: number; said: string }>();
  const from = performance.now();
  const { port, hostname } = new URL(url);
  let said = '';
  const socket = connect(Number(port), hostname, () => {
    if (begin !== '') socket.write(begin);
  });
  const drip = setInterval(() => {
    if (begin !== '') socket.write(`X-Slow-${Math.round(performance.now())}: 1\r\n`);
  }, 1000);
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(drip);
    resolve({ ms: performance.now() - from, said });
  });
  return promise;
}

test('headers that never end, and no request at all, are given up on', {
  timeout: 60_000,
}, async () => {
  const waits = LISTENERS.flatMap((name) => {
    const { host } = new URL(served.ready[name]);
    return ['', `GET / HTTP/1.1\r\nHost: ${host}\r\n`].map(async (begin) => {
      const { ms, said } = await patience(served.ready[name], begin);
      return { name, begin, late: ms > SECONDS * 1000, said: said.split('\r\n')[0] };
    });
  });
  for (const { name, begin, late, said } of await Promise.all(waits)) {
    expect({ name, begin, late }).toEqual({ name, begin, late: false });
    // A proxy keeps connections for later: an answer on one would be that to its next request.
    const answer = begin === '' ? '' : 'HTTP/1.1 408 Request Timeout';
    expect({ name, begin, said }).toEqual({ name, begin, said: answer });
  }
});

test('a connection is kept for longer than a proxy keeps it, which may have a request under way', async () => {
  for (const name of LISTENERS) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const agent = new Agent({ keepAlive: true });
    get(served.ready[name], { agent }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.headers['keep-alive'])));
    }).once('error', reject);
    expect({ name, kept: await promise }).toEqual({ name, kept: 'timeout=72' });
    agent.destroy();
  }
});

test('500 such peers leave the others served', { timeout: 60_000 }, async () => {
  for (const name of LISTENERS) {
    const { port, host } = new URL(served.ready[name]);
    const peers = Array.from({ length: 500 }, () => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-A: `);
      });
      socket.on('error', () => undefined);
      return socket;
    });
    const from = performance.now();
    const answer = await fetch(served.ready[name]);
    await answer.arrayBuffer();
    expect({ name, slow: performance.now() - from > 5000 }).toEqual({ name, slow: false });
    for (const socket of peers) socket.destroy();
  }
});
