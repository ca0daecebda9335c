// Connections to services of other computers: over TLS on loopback, with an authority of the test's own.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Peer, startPeer, startProxy } from '../support/remote-peers.ts';
import { type RemoteWorld, startRemoteWorld, USUAL } from '../support/remote-world.ts';
import { type Authority, makeAuthority } from '../support/test-authority.ts';

let authority: Authority;
let world: RemoteWorld;
let peer: Peer | undefined;

beforeAll(() => {
  authority = makeAuthority();
});
afterAll(() => authority.close());
beforeEach(async () => {
  world = await startRemoteWorld();
});
afterEach(async () => {
  await world.close();
  await peer?.close();
  peer = undefined;
});

const usualPeer = (port?: number) =>
  startPeer(
    authority.issue(),
    (request, response) => response.end(`you asked ${request.url}`),
    port,
  );

describe('connections are kept', () => {
  test('with their secrets apart: no answer and no file holds one', async () => {
    const id = await world.add({
      platform: 'https://team.example/base',
      key: 'the-key-of-the-team',
    });
    const { json, text } = await world.ask('/gateway/connections');
    expect(text).not.toContain('the-key-of-the-team');
    expect(json.connections).toMatchObject([
      { id, name: 'Team', color: 'violet', stored: { key: true, client_key: false } },
    ]);
    expect(JSON.stringify(world.book())).not.toContain('the-key-of-the-team');
    expect([...world.secrets]).toEqual([[`remote:${id}.key`, 'the-key-of-the-team']]);
  });

  test('a key that is left out stays, null removes it, and another way to sign in too', async () => {
    const id = await world.add({ platform: 'https://team.example', key: 'first' });
    const put = (change: object) =>
      world.ask(`/gateway/connections/${id}`, {
        method: 'PUT',
        body: JSON.stringify({ ...USUAL, platform: 'https://team.example', ...change }),
      });
    expect((await put({ name: 'Other' })).json).toMatchObject({
      name: 'Other',
      stored: { key: true },
    });
    expect((await put({ key: null })).json.stored.key).toBe(false);
    await put({ key: 'again' });
    await put({ auth: { kind: 'none' } });
    expect([...world.secrets]).toEqual([]);
  });

  test('removing one removes its secrets; its windows are told', async () => {
    const id = await world.add({ platform: 'https://team.example', key: 'first' });
    expect((await world.ask(`/gateway/connections/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect([...world.secrets]).toEqual([]);
    const gone = await world.ask('/platform/v1/runs', { connection: id });
    expect([gone.status, gone.json.code]).toEqual([404, 'connection_gone']);
    const again = await world.ask(`/gateway/connections/${id}`, { method: 'DELETE' });
    expect([again.status, again.json.code]).toEqual([404, 'connection_unknown']);
  });

  test.each([
    [{ platform: 'http://team.example' }, /https:\/\//],
    [{ platform: 'https://user:secret@team.example' }, /no user name, password/],
    [{}, /at least one service/],
    [{ platform: 'https://a.example', drafts: 'there' }, /has a studio/],
    [{ platform: 'https://a.example', authorities: 'not PEM' }, /PEM text/],
    [{ platform: 'https://a.example', proxy: { kind: 'manual', url: 'socks5://a' } }, /http:\/\//],
  ])('what cannot be a connection is refused with what to do: %j', async (change, words) => {
    const answer = await world.ask('/gateway/connections', {
      method: 'POST',
      body: JSON.stringify({ ...USUAL, ...change }),
    });
    expect([answer.status, answer.json.code]).toEqual([400, 'connection_refused']);
    expect(answer.json.message).toMatch(words);
  });

  test('a certificate whose key is another one is refused', async () => {
    const own = authority.issue();
    const body = { ...USUAL, platform: 'https://a.example', client_certificate: own.cert };
    for (const client_key of [authority.issue().key, 'nonsense', null]) {
      const answer = await world.ask('/gateway/connections', {
        method: 'POST',
        body: JSON.stringify({ ...body, client_key }),
      });
      expect([answer.status, answer.json.code]).toEqual([400, 'certificate_refused']);
    }
    expect([...world.secrets]).toEqual([]);
  });
});

describe('a request of a window goes where its connection leads', () => {
  test('with the credential of that connection and no other', async () => {
    peer = await usualPeer();
    const authorities = authority.cert;
    const first = await world.add({ platform: `${peer.url}/base`, authorities, key: 'key-one' });
    const second = await world.add({ platform: peer.url, authorities, key: 'key-two' });
    const answer = await world.ask('/platform/v1/runs?x=%2F', { connection: first });
    expect(answer.text).toBe('you asked /base/v1/runs?x=%2F');
    await world.ask('/platform/v1/runs', { connection: second });
    expect(peer.asked.map(({ authorization }) => authorization)).toEqual([
      'Bearer key-one',
      'Bearer key-two',
    ]);
    expect(world.ownAsked).toEqual([]);
  });

  test('drafts stay here; what the connection has not is refused', async () => {
    peer = await usualPeer();
    const id = await world.add({ platform: peer.url, authorities: authority.cert, key: 'k' });
    expect((await world.ask('/studio/api/me', { connection: id })).json.own).toBe(true);
    expect(world.ownAsked.at(-1)).toEqual({
      ...{ url: '/api/me', authorization: 'Bearer of-this-computer' },
    });
    const dashboard = await world.ask('/dashboard/api/runs', { connection: id });
    expect([dashboard.status, dashboard.json.code]).toEqual([404, 'connection_unknown']);
    expect(peer.asked).toEqual([]);
    const { json } = await world.ask('/gateway/status', { connection: id });
    expect(json.connection).toEqual({ id, name: 'Team', kind: 'remote' });
    expect(json.services).toMatchObject({
      platform: { present: true, reachable: true, address: peer.url, here: false },
      dashboard: { present: false },
      studio: { present: true, reachable: true, here: true },
    });
  });

  test('a stream arrives as it is written, and leaving it reaches the server', async () => {
    const left = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    peer = await startPeer(authority.issue(), (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      void second.promise.then(() => response.write('data: 2\n\n'));
      response.on('close', () => left.resolve());
    });
    const id = await world.add({ platform: peer.url, authorities: authority.cert, key: 'k' });
    const abort = new AbortController();
    const answer = await fetch(`${world.gateway.url}/platform/v1/stream`, {
      headers: {
        ...{ origin: 'app://specwright', authorization: 'Bearer launch-token' },
        'x-specwright-connection': id,
      },
      signal: abort.signal,
    });
    const reader = answer.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe('data: 1\n\n');
    second.resolve();
    expect(await next()).toBe('data: 2\n\n');
    abort.abort();
    await left.promise;
  });

  test('a disk that is full keeps nobody from asking; the key is kept at a later handshake', async () => {
    peer = await usualPeer();
    const id = await world.add({ platform: peer.url, authorities: authority.cert, key: 'k' });
    world.disk.full = true;
    expect((await world.ask('/platform/v1/a', { connection: id })).status).toBe(200);
    expect(world.book()[0]?.identities).toEqual([]);
    world.disk.full = false;
    const { port } = peer;
    await peer.close();
    peer = await usualPeer(port);
    await world.ask('/platform/v1/b', { connection: id });
    expect(world.book()[0]?.identities).toHaveLength(1);
  });

  test('a stranger names no connection', async () => {
    const id = await world.add({ platform: 'https://team.example', key: 'k' });
    const answer = await fetch(`${world.gateway.url}/platform/v1/runs`, {
      headers: { 'x-specwright-connection': id },
    });
    expect(answer.status).toBe(401);
  });

  test('one key that is missing or not accepted says which', async () => {
    peer = await startPeer(authority.issue(), (_request, response) =>
      response.writeHead(401).end('{"code":"unauthorized"}'),
    );
    const id = await world.add({ platform: peer.url, authorities: authority.cert });
    const missing = await world.ask('/platform/v1/runs', { connection: id });
    expect([missing.status, missing.json.code]).toEqual([401, 'remote_key_missing']);
    expect(peer.asked).toEqual([]);
    const wrong = await world.add({ platform: peer.url, authorities: authority.cert, key: 'no' });
    const refused = await world.ask('/platform/v1/runs', { connection: wrong });
    expect([refused.status, refused.json.code]).toEqual([401, 'remote_key_refused']);
  });
});

describe('a server that is not the one meant gets nothing', () => {
  const asked = async (settings: object) => {
    const id = await world.add({ key: 'k', ...settings });
    const answer = await world.ask('/platform/v1/runs', { connection: id });
    const { json } = await world.ask('/gateway/status', { connection: id });
    expect(json.services.platform).toMatchObject({ reachable: false, problem: answer.json.code });
    expect(peer?.asked ?? []).toEqual([]);
    return answer.json.code;
  };

  test('nobody vouches for it', async () => {
    peer = await usualPeer();
    expect(await asked({ platform: peer.url })).toBe('remote_authority_unknown');
  });

  test('its certificate is for another host', async () => {
    peer = await startPeer(authority.issue({ names: 'DNS:other.example' }), () => undefined);
    expect(await asked({ platform: peer.url, authorities: authority.cert })).toBe(
      'remote_name_wrong',
    );
  });

  test('its certificate is over', async () => {
    peer = await startPeer(authority.issue({ expired: true }), () => undefined);
    expect(await asked({ platform: peer.url, authorities: authority.cert })).toBe(
      'remote_certificate_expired',
    );
  });

  test('it speaks no TLS, is not there, or its name is not known', async () => {
    const plain = world.gateway.url.replace('http://127.0.0.1', 'https://localhost');
    expect(await asked({ platform: plain })).toBe('remote_tls_failed');
    peer = await usualPeer();
    const { url } = peer;
    await peer.close();
    peer = undefined;
    expect(await asked({ platform: url })).toBe('connection_unreachable');
    expect(await asked({ platform: 'https://nobody.invalid' })).toBe('remote_host_unknown');
  });

  test('its key is another one, until the person accepts it', async () => {
    peer = await usualPeer();
    const { port } = peer;
    const id = await world.add({ platform: peer.url, authorities: authority.cert, key: 'k' });
    expect((await world.ask('/platform/v1/a', { connection: id })).status).toBe(200);
    const [before] = world.book()[0]?.identities ?? [];
    await peer.close();
    peer = await usualPeer(port);
    const changed = await world.ask('/platform/v1/b', { connection: id });
    expect([changed.status, changed.json.code]).toEqual([502, 'remote_identity_changed']);
    expect(peer.asked).toEqual([]);
    const accept = (key_sha256: string) =>
      world.ask(`/gateway/connections/${id}/identity`, {
        method: 'PUT',
        body: JSON.stringify({ origin: peer?.url, key_sha256 }),
      });
    const never = await accept('0'.repeat(64));
    expect([never.status, never.json.code]).toEqual([400, 'request_invalid']);
    const tested = await world.ask(`/gateway/connections/${id}/test`, { method: 'POST' });
    const { shown } = tested.json.services[0];
    expect(shown).not.toBe(before?.key_sha256);
    expect((await accept(shown)).json.identities).toMatchObject([{ key_sha256: shown }]);
    expect((await world.ask('/platform/v1/c', { connection: id })).status).toBe(200);
  });

  test('it sends on to another address, which is not followed', async () => {
    const elsewhere = await usualPeer();
    peer = await startPeer(authority.issue(), (request, response) => {
      const within = request.url === '/v1/within';
      response.writeHead(307, { location: within ? '/v1/there' : `${elsewhere.url}/v1/runs` });
      response.end();
    });
    const id = await world.add({ platform: peer.url, authorities: authority.cert, key: 'k' });
    const answer = await world.ask('/platform/v1/runs', { connection: id });
    expect([answer.status, answer.json.code]).toEqual([502, 'remote_redirected']);
    expect(elsewhere.asked).toEqual([]);
    const within = await world.ask('/platform/v1/within', { connection: id });
    expect([within.status, within.headers.get('location')]).toEqual([307, '/platform/v1/there']);
    await elsewhere.close();
  });

  test('it wants a client certificate', async () => {
    const tls = { ...authority.issue(), ca: authority.cert, requestCert: true };
    peer = await startPeer(tls, (_request, response) => response.end('in'));
    expect(await asked({ platform: peer.url, authorities: authority.cert })).toBe(
      'remote_wants_certificate',
    );
    const own = authority.issue({ names: 'DNS:me.example' });
    const id = await world.add({
      ...{ platform: peer.url, authorities: authority.cert, key: 'k' },
      ...{ client_certificate: own.cert, client_key: own.key },
    });
    expect((await world.ask('/platform/v1/runs', { connection: id })).text).toBe('in');
    expect((await world.ask('/gateway/connections')).text).not.toContain('PRIVATE KEY');
  });
});

describe('proxies', () => {
  test('a manual one is asked with its password; one that refuses says so', async () => {
    const proxy = await startProxy('me:pass word');
    peer = await usualPeer();
    const settings = {
      ...{ platform: peer.url, authorities: authority.cert, key: 'k' },
      proxy: { kind: 'manual', url: proxy.url, user: 'me' },
    };
    const id = await world.add({ ...settings, proxy_password: 'pass word' });
    expect((await world.ask('/platform/v1/a', { connection: id })).text).toBe('you asked /v1/a');
    expect(proxy.tunnels).toEqual([`localhost:${peer.port}`]);
    const wrong = await world.add({ ...settings, proxy_password: 'another' });
    const answer = await world.ask('/platform/v1/a', { connection: wrong });
    expect([answer.status, answer.json.code]).toEqual([502, 'remote_proxy_failed']);
    await proxy.close();
  });

  test('that of the system is not asked for this computer, one of the environment else', async () => {
    const proxy = await startProxy();
    await world.close();
    world = await startRemoteWorld({ HTTPS_PROXY: proxy.url });
    peer = await usualPeer();
    const settings = { authorities: authority.cert, key: 'k', proxy: { kind: 'system' } };
    const near = await world.add({ ...settings, platform: peer.url });
    expect((await world.ask('/platform/v1/a', { connection: near })).status).toBe(200);
    expect(proxy.tunnels).toEqual([]);
    const far = await world.add({ ...settings, platform: `https://far.invalid:${peer.port}` });
    await world.ask('/platform/v1/a', { connection: far });
    expect(new Set(proxy.tunnels)).toEqual(new Set([`far.invalid:${peer.port}`]));
    await proxy.close();
  });

  test('those of the desktop are asked for each server, anew after a while, and told when they cannot be gone', async () => {
    const proxy = await startProxy(undefined, '127.0.0.1');
    let ways: string | undefined = `PROXY ${new URL(proxy.url).host}; DIRECT`;
    const asked: string[] = [];
    await world.close();
    world = await startRemoteWorld({ HTTPS_PROXY: 'http://127.0.0.1:9' }, async (url) => {
      asked.push(url);
      return ways;
    });
    const certificate = authority.issue({ names: 'DNS:far.invalid,DNS:localhost' });
    peer = await startPeer(certificate, (request, response) => response.end(request.url));
    const settings = { authorities: authority.cert, key: 'k', proxy: { kind: 'system' } };
    const far = `https://far.invalid:${peer.port}`;
    const id = await world.add({ ...settings, platform: `${far}/base` });
    const ask = () => world.ask('/platform/v1/a', { connection: id });
    expect((await ask()).text).toBe('/base/v1/a');
    expect((await ask()).status).toBe(200);
    expect(asked).toEqual([`${far}/`]);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`far.invalid:${peer.port}`]));

    ways = 'SOCKS5 127.0.0.1:1080';
    world.clock.ms += 16_000;
    const refused = await ask();
    expect([refused.status, refused.json.code]).toEqual([502, 'remote_proxy_kind']);
    ways = undefined;
    expect((await ask()).json.code).toBe('connection_unreachable');
    const near = await world.add({ ...settings, platform: peer.url });
    expect((await world.ask('/platform/v1/a', { connection: near })).status).toBe(200);
    expect(asked.filter((url) => url.includes('localhost'))).toEqual([]);
    await proxy.close();
  });
});
