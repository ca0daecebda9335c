import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { env, idp, providesOperators, started } from '../support/dashboard-oidc.ts';
import {
  clock,
  dashboard,
  freshDashboards,
  get,
  platform,
  send,
} from '../support/dashboard-world.ts';
import { TEAM_RESOURCE } from '../support/identity-provider.ts';
import { startTokenSigner, type TokenSigner } from '../support/token-signer.ts';
import { windowToken } from '../support/window-token.ts';

freshDashboards();
providesOperators();

const AUDIENCE = { DASH_OIDC_TOKEN_AUDIENCE: TEAM_RESOURCE };
const carrying = (token: string) => ({ authorization: `Bearer ${token}` });

describe('windows of people, by tokens of the provider (additive, contract-notes)', () => {
  test('a token lets in as whom it names, with what the role may do; nothing is kept of it', async () => {
    const app = started({ ...AUDIENCE, DASH_OIDC_BOOTSTRAP_ADMIN: 'eve' });
    const ada = carrying(await windowToken(idp, 'ada'));
    const me = await get(app, '/api/me', ada);
    expect(me.body).toMatchObject({ identity: 'ada@example.com', role: 'operator' });
    expect(me.headers['set-cookie']).toBeUndefined();
    platform.on('POST /v1/runs/r1/cancel', { body: { run_id: 'r1', status: 'cancelled' } });
    const done = await send(app, 'POST', '/api/runs/r1/cancel', {}, ada);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    const bob = carrying(await windowToken(idp, 'bob'));
    expect((await send(app, 'POST', '/api/runs/r1/cancel', {}, bob)).status).toBe(403);
    const admin = carrying(await windowToken(idp, 'eve'));
    const audit = await get(app, '/api/audit-log', admin);
    expect(JSON.stringify(audit.body)).toContain('ada@example.com');
  });

  test('who has no role is told so; who has no token has no session', async () => {
    const app = started(AUDIENCE);
    const eve = await get(app, '/api/me', carrying(await windowToken(idp, 'eve')));
    expect([eve.status, eve.body.code]).toEqual([403, 'forbidden']);
    expect((await get(app, '/api/me')).status).toBe(401);
  });

  test('a token that is over, for somebody else, or opaque is not taken', async () => {
    const ada = carrying(await windowToken(idp, 'ada'));
    const other = started({ DASH_OIDC_TOKEN_AUDIENCE: 'https://other.example' });
    const foreign = await get(other, '/api/me', ada);
    expect([foreign.status, foreign.body.code]).toEqual([401, 'unauthorized']);
    const opaque = carrying(await windowToken(idp, 'ada', null));
    const app = started(AUDIENCE);
    expect((await get(app, '/api/me', opaque)).status).toBe(401);
    clock.now += 3_600_000 + 60_000;
    expect((await get(app, '/api/me', ada)).status).toBe(401);
    // Without the setting none is taken at all.
    expect((await get(started(), '/api/me', ada)).status).toBe(401);
  });
});

describe('forged tokens', () => {
  let signer: TokenSigner;
  beforeAll(async () => {
    signer = await startTokenSigner();
  });
  afterAll(() => signer.close());

  const app = () => {
    clock.now = Date.now();
    return dashboard({ env: env({ ...AUDIENCE, DASH_OIDC_ISSUER: signer.issuer }) });
  };
  const seconds = (ms: number) => Math.floor((clock.now + ms) / 1000);
  const claims = () => ({
    ...{ sub: 'ada', roles: ['desk'], aud: TEAM_RESOURCE, exp: seconds(60_000) },
  });

  test('only a token that fits whole is taken', async () => {
    const to = app();
    const status = async (token: string | Promise<string>) =>
      (await get(to, '/api/me', carrying(await token))).status;
    expect(await status(signer.sign(claims()))).toBe(200);
    expect(await status(signer.sign(claims(), { typ: 'JWT' }))).toBe(200);
    // Keycloak's, of before it left the nonce out.
    const old = { ...claims(), typ: 'Bearer', nonce: 'n' };
    expect(await status(signer.sign(old, { typ: 'JWT' }))).toBe(200);
    const wrong: Record<string, string | Promise<string>> = {
      'another key': signer.forge(claims()),
      'a key that nobody has': signer.forge(claims(), { kid: 'k2' }),
      'a public key for a secret': signer.confuse(claims()),
      'no signature': `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims()))}.`,
      'another issuer': signer.sign({ ...claims(), iss: 'https://id.example' }),
      'another audience': signer.sign({ ...claims(), aud: ['https://other.example'] }),
      'no audience': signer.sign({ ...claims(), aud: undefined }),
      'no end': signer.sign({ ...claims(), exp: undefined }),
      over: signer.sign({ ...claims(), exp: seconds(-60_000) }),
      'not yet': signer.sign({ ...claims(), nbf: seconds(120_000) }),
      'nobody in it': signer.sign({ ...claims(), sub: undefined }),
      'a logout': signer.sign(claims(), { typ: 'logout+jwt' }),
      'a sign-in': signer.sign({ ...claims(), nonce: 'n' }, { typ: 'JWT' }),
      'a sign-in, told by its kind': signer.sign({ ...claims(), typ: 'ID' }, { typ: 'JWT' }),
      'no token': 'a.b.c',
    };
    for (const [name, token] of Object.entries(wrong)) {
      expect(await status(token), name).toBe(401);
    }
  });

  test('keys that nobody has do not make us ask the provider again and again', async () => {
    const to = app();
    const before = signer.asked();
    for (let time = 0; time < 10; time += 1) {
      const token = await signer.forge(claims(), { kid: `made-up-${time}` });
      expect((await get(to, '/api/me', carrying(token))).status).toBe(401);
    }
    expect(signer.asked() - before).toBeLessThanOrEqual(2);
  });

  test('a provider that does not answer is told as that, not as a wrong token', async () => {
    clock.now = Date.now();
    const to = dashboard({ env: env({ ...AUDIENCE, DASH_OIDC_ISSUER: 'http://127.0.0.1:9' }) });
    const gone = await get(to, '/api/me', carrying(await signer.sign(claims())));
    expect([gone.status, gone.body.code]).toEqual([502, 'upstream_error']);
  });
});
