// Sign-in for a connection at a real identity provider, with a browser's way over HTTP.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type IdentityProvider,
  OIDC_CLIENT,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { type Peer, startPeer } from '../support/remote-peers.ts';
import { type RemoteWorld, startRemoteWorld } from '../support/remote-world.ts';
import { type Authority, makeAuthority } from '../support/test-authority.ts';

const HOURS_MS = 3_600_000;
let authority: Authority;
let provider: IdentityProvider;
let world: RemoteWorld;
let peer: Peer;
/** Tokens that the server does not take any more. */
const over = new Set<string>();

beforeAll(() => {
  authority = makeAuthority();
});
afterAll(() => authority.close());
beforeEach(async () => {
  over.clear();
  provider = await startIdentityProvider(
    'http://127.0.0.1/callback',
    [{ id: 'ada', claims: { name: 'Ada L.' } }],
    'none',
  );
  world = await startRemoteWorld();
  // As a server behind a provider does: whoever brings a token of it is let in.
  peer = await startPeer(authority.issue(), async ({ headers }, response) => {
    const { authorization = '' } = headers;
    const said = over.has(authorization)
      ? { ok: false }
      : await fetch(`${provider.issuer}/me`, { headers: { authorization } });
    response.writeHead(said.ok ? 200 : 401).end(said.ok ? 'in' : '{"code":"unauthorized"}');
  });
});
afterEach(async () => {
  await world.close();
  await peer.close();
  await provider.close();
});

const add = (change: object = {}) =>
  world.add({
    ...{ platform: peer.url, authorities: authority.cert },
    auth: { kind: 'oidc', issuer: provider.issuer, client_id: OIDC_CLIENT.id, ...change },
  });
const begin = (id: string) => world.ask(`/gateway/connections/${id}/sign-in`, { method: 'POST' });
const state = async (id: string) => (await world.ask(`/gateway/connections/${id}/sign-in`)).json;
const ask = (id: string) => world.ask('/platform/v1/runs', { connection: id });

async function signIn(id: string): Promise<string> {
  const { address } = (await begin(id)).json;
  const back = await provider.signIn(address, 'ada');
  return (await fetch(back)).text();
}

test('a person signs in in the browser, and requests go out with the token', async () => {
  const id = await add();
  const before = await ask(id);
  expect([before.status, before.json.code]).toEqual([401, 'remote_sign_in_required']);
  expect(peer.asked).toEqual([]);
  const { address } = (await begin(id)).json;
  const asked = new URL(address).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect((await state(id)).state).toBe('waiting');
  const back = await provider.signIn(address, 'ada');
  expect(await (await fetch(back)).text()).toContain('You are signed in');
  expect(await state(id)).toEqual({ state: 'done', problem: null });
  expect((await ask(id)).text).toBe('in');
  const { json, text } = await world.ask('/gateway/connections');
  expect(json.connections[0].signed_in).toMatchObject({ name: 'Ada L.', renews: true });
  const kept = JSON.parse(world.secrets.get(`remote:${id}.tokens`) ?? '');
  for (const secret of [kept.access_token, kept.refresh_token]) {
    expect(secret).toMatch(/\S/);
    expect(text + JSON.stringify(world.book())).not.toContain(secret);
  }
});

test('a token that ended is renewed; without a renewal the person signs in again', async () => {
  const id = await add();
  await signIn(id);
  const first = JSON.parse(world.secrets.get(`remote:${id}.tokens`) ?? '').access_token;
  world.clock.ms += 2 * HOURS_MS;
  expect((await ask(id)).text).toBe('in');
  const second = JSON.parse(world.secrets.get(`remote:${id}.tokens`) ?? '').access_token;
  expect(second).not.toBe(first);
  const once = await add({ scope: 'openid profile' });
  await signIn(once);
  expect((await ask(once)).text).toBe('in');
  world.clock.ms += 2 * HOURS_MS;
  const count = peer.asked.length;
  const answer = await ask(once);
  expect([answer.status, answer.json.code]).toEqual([401, 'remote_sign_in_required']);
  expect(peer.asked.length).toBe(count);
});

test('a token that the server refuses is not shown to it again', async () => {
  const id = await add();
  await signIn(id);
  await ask(id);
  over.add(peer.asked.at(-1)?.authorization ?? '');
  const refused = await ask(id);
  expect([refused.status, refused.json.code]).toEqual([401, 'remote_sign_in_required']);
  expect((await ask(id)).text).toBe('in');
});

test('what comes back with another state, or a second time, changes nothing', async () => {
  const id = await add();
  const { address } = (await begin(id)).json;
  const redirect = new URL(address).searchParams.get('redirect_uri') ?? '';
  expect((await fetch(`${redirect}?code=stolen&state=guessed`)).status).toBe(404);
  expect((await state(id)).state).toBe('waiting');
  const back = await provider.signIn(address, 'ada');
  await fetch(back);
  await expect(fetch(back)).rejects.toThrow();
});

test('a provider that refuses, or is not there, says so', async () => {
  const id = await add();
  const { address } = (await begin(id)).json;
  const asked = new URL(address).searchParams;
  const back = new URL(asked.get('redirect_uri') ?? '');
  back.searchParams.set('state', asked.get('state') ?? '');
  back.searchParams.set('error', 'access_denied');
  back.searchParams.set('iss', provider.issuer);
  expect(await (await fetch(back)).text()).toContain('You are not signed in');
  expect((await state(id)).problem.code).toBe('sign_in_refused');
  const nobody = await add({ issuer: 'http://127.0.0.1:1' });
  const unreached = await begin(nobody);
  expect([unreached.status, unreached.json.code]).toEqual([502, 'sign_in_unreachable']);
  const unknown = await add({ issuer: peer.url.replace('localhost', '127.0.0.1') });
  expect((await begin(unknown)).json.code).toBe('sign_in_failed');
});

test('signing out, and another provider, forget the tokens', async () => {
  const id = await add();
  await signIn(id);
  await world.ask(`/gateway/connections/${id}/sign-in`, { method: 'DELETE' });
  expect([...world.secrets]).toEqual([]);
  expect((await ask(id)).json.code).toBe('remote_sign_in_required');
});
