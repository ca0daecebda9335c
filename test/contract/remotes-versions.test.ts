// Connections to our own services without a display, behind TLS, and to an older platform.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createCli } from '../support/cli.ts';
import { type Peer, passingOn, startPeer } from '../support/remote-peers.ts';
import { type RemoteWorld, startRemoteWorld } from '../support/remote-world.ts';
import { type Served, serve } from '../support/served.ts';
import { type Authority, makeAuthority } from '../support/test-authority.ts';

let authority: Authority;
let world: RemoteWorld;
const peers: Peer[] = [];

beforeAll(async () => {
  authority = makeAuthority();
  world = await startRemoteWorld();
});
afterAll(async () => {
  await world.close();
  authority.close();
});
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function before(base: string): Promise<string> {
  const peer = await startPeer(authority.issue(), passingOn(base), 0, 'itself');
  peers.push(peer);
  return peer.url;
}

const linesOf = (report: { lines: { check: string; state: string; text: string }[] }) =>
  Object.fromEntries(report.lines.map(({ check, state, text }) => [check, `${state}: ${text}`]));

test('our own services: who, version, clock, identity and what they offer are told', async () => {
  const cli = createCli();
  let served: Served | undefined;
  try {
    served = await serve(cli);
    const { platform, dashboard, studio, key_file: keyFile = '' } = served.ready;
    const id = await world.add({
      platform: await before(platform),
      dashboard: await before(dashboard),
      studio: await before(studio),
      ...{ drafts: 'there', authorities: authority.cert },
      key: readFileSync(keyFile, 'utf8').trim(),
    });
    const { json } = await world.ask(`/gateway/connections/${id}/test`, { method: 'POST' });
    const [ofPlatform, ofDashboard, ofStudio] = json.services.map(linesOf);
    expect(ofPlatform).toEqual({
      reachable: 'ok: It answers.',
      identity: expect.stringMatching(
        /^ok: Its certificate is vouched for, and its key \([0-9a-f]{16}…\) is/,
      ),
      version: expect.stringMatching(/^ok: Version \d+\.\d+\.\d+, program \S+, as here\.$/),
      who: 'ok: It accepts the connection’s credential; it does not say whose it is.',
      clock: 'ok: Its clock and that of this computer agree.',
      offers: 'ok: It offers everything that the window asks for.',
    });
    expect(ofDashboard.who).toBe('ok: You are static-operator, admin.');
    expect(ofStudio.who).toMatch(/^ok: You are \S/);
    const asked = await Promise.all(
      ['/platform/v1/runs', '/dashboard/api/runs', '/studio/api/me'].map((path) =>
        world.ask(path, { connection: id }),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(world.ownAsked).toEqual([]);
    world.clock.ms += 90_000;
    const later = await world.ask(`/gateway/connections/${id}/test`, { method: 'POST' });
    expect(linesOf(later.json.services[0])['clock']).toMatch(
      /^attention: Its clock is (?:89|90|91) seconds behind that of this computer\.$/,
    );
    world.clock.ms -= 90_000;
  } finally {
    await served?.stop();
    cli.dispose();
  }
});

/** An older platform, by what it says of itself. */
const OLDER = {
  openapi: '3.0.3',
  paths: {
    '/v1/runs': { get: {}, post: {} },
    '/v1/runs/{id}': { get: {} },
    '/v1/runs/{id}/cancel': { post: {} },
    '/v1/runs/{id}/trace': { get: {} },
    '/v1/human-tasks': { get: {} },
    '/v1/human-tasks/{id}/resume': { post: {} },
  },
};

test('an older platform: what it cannot do is told, and not asked for', async () => {
  const peer = await startPeer(
    authority.issue(),
    (request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/openapi.json') response.end(JSON.stringify(OLDER));
      else if (request.url === '/v1/healthz')
        response.end('{"ok":true,"service":"run-platform","version":"1.0.3","metadata":{}}');
      else if (request.url?.startsWith('/v1/runs') === true) response.end('{"items":[]}');
      else response.writeHead(404).end('{"detail":"Not Found"}');
    },
    0,
    'itself',
  );
  peers.push(peer);
  const id = await world.add({ platform: peer.url, authorities: authority.cert, key: 'k' });
  const { json } = await world.ask(`/gateway/connections/${id}/test`, { method: 'POST' });
  const lines = linesOf(json.services[0]);
  expect(lines['version']).toMatch(/^attention: Version 1\.0\.3, older than here \(/);
  expect(lines['offers']).toMatch(/^attention: It cannot: let a stopped run go on; run again/);
  const status = await world.ask('/gateway/status', { connection: id });
  expect(status.json.lacks).toContain('run again from a step');
  const before = peer.asked.length;
  const refused = await world.ask('/platform/v1/runs/r1/rerun', { connection: id, method: 'POST' });
  expect([refused.status, refused.json.code]).toEqual([501, 'remote_lacks']);
  expect(peer.asked.length).toBe(before);
  expect((await world.ask('/platform/v1/runs/r1', { connection: id })).status).toBe(200);
});

test('what is no platform at all, and one that does not describe itself, is told', async () => {
  const peer = await startPeer(authority.issue(), (_request, response) => response.end('<html>'));
  peers.push(peer);
  const id = await world.add({
    platform: peer.url,
    authorities: authority.cert,
    auth: { kind: 'none' },
  });
  const { json } = await world.ask(`/gateway/connections/${id}/test`, { method: 'POST' });
  const lines = linesOf(json.services[0]);
  expect(lines['version']).toBe('attention: What answers does not say that it is a run platform.');
  expect(lines['offers']).toMatch(/^unknown: It does not describe/);
});

test('connections are in the data folder after a start, and no file there holds a secret openly', async () => {
  const cli = createCli();
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-remotes-'));
  try {
    const words = ['--data', folder];
    let served = await serve(cli, words);
    const enter = async () => {
      const answer = await fetch(await served.link(), { redirect: 'manual' });
      return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    };
    const body = JSON.stringify({
      ...{ name: 'Team', color: 'teal', platform: 'https://team.example', dashboard: null },
      ...{ studio: null, auth: { kind: 'key' }, key: 'the-key-of-the-team' },
    });
    const made = await fetch(`${served.ready.gateway}/gateway/connections`, {
      method: 'POST',
      headers: { ...(await enter()), 'content-type': 'application/json' },
      body,
    });
    expect(made.status).toBe(201);
    await served.stop();
    const file = readFileSync(path.join(folder, 'connections.json'), 'utf8');
    expect(file).toContain('https://team.example');
    expect(file).not.toContain('the-key-of-the-team');
    served = await serve(cli, words);
    const again = await fetch(`${served.ready.gateway}/gateway/connections`, {
      headers: await enter(),
    });
    expect(await again.json()).toMatchObject({
      connections: [{ name: 'Team', color: 'teal', stored: { key: true } }],
    });
    await served.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
    cli.dispose();
  }
});
