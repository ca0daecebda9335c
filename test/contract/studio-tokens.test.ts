import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type IdentityProvider,
  OIDC_CLIENT,
  startIdentityProvider,
  TEAM_RESOURCE,
} from '../support/identity-provider.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';
import { startTokenSigner } from '../support/token-signer.ts';
import { windowToken } from '../support/window-token.ts';

const ORIGIN = 'http://127.0.0.1:8091';
const CALLBACK = `${ORIGIN}/api/session/oidc/callback`;
const folder = mkdtempSync(path.join(tmpdir(), 'studio-tokens-'));
const studios: StudioUnderTest[] = [];
let idp: IdentityProvider;

beforeAll(async () => {
  const accounts = [
    { id: 'ada', claims: { name: 'Ada', email: 'ada@example.com', email_verified: true } },
    { id: 'bob', claims: { name: 'Bob', email: 'bob@other.example', email_verified: true } },
  ];
  idp = await startIdentityProvider(CALLBACK, accounts, 'client_secret_post', 'windows');
});
afterEach(async () => {
  for (const one of studios.splice(0)) await one.dispose();
});
afterAll(async () => {
  await idp.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(more: Record<string, unknown> = {}): Promise<StudioUnderTest> {
  const file = path.join(folder, 'provider.json');
  writeFileSync(
    file,
    JSON.stringify({
      ...{ provider_id: 'test', client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret },
      ...{ callback_origin: ORIGIN, issuer: idp.issuer, jwks_uri: `${idp.issuer}/jwks` },
      authorization_endpoint: `${idp.issuer}/auth`,
      token_endpoint: `${idp.issuer}/token`,
      redirect_allowlist: [CALLBACK],
      admission: { mode: 'allowlist', email_domains: ['example.com'] },
      token_audience: TEAM_RESOURCE,
      ...more,
    }),
  );
  chmodSync(file, 0o600);
  const env = { STUDIO_AUTH_MODE: 'oidc', STUDIO_OIDC_PROVIDER_FILE: file };
  const studio = await startStudioUnderTest('http://127.0.0.1:9', {}, env);
  studio.clock.ms = Date.now();
  studios.push(studio);
  return studio;
}

const me = (studio: StudioUnderTest, token: string) =>
  studio.call('GET', '/api/me', undefined, { authorization: `Bearer ${token}` });

describe('windows of authors, by tokens of the provider (additive, contract-notes)', () => {
  test('somebody on the list comes in, the first time and after that, without a session', async () => {
    const studio = await start();
    const ada = await windowToken(idp, 'ada');
    const first = await me(studio, ada);
    expect(first.body, first.text).toMatchObject({ display_name: 'Ada', auth_mode: 'oidc' });
    expect(first.headers.get('set-cookie')).toBeNull();
    const again = await me(studio, ada);
    expect(again.body.principal_id).toBe(first.body.principal_id);
  });

  test('who is not on the list, or waits for the operator, is told so', async () => {
    const studio = await start();
    const bob = await me(studio, await windowToken(idp, 'bob'));
    expect([bob.status, bob.body.error?.code ?? bob.body.code]).toEqual([403, 'not_admitted']);
    const asking = await start({ admission: { mode: 'provision' } });
    const ada = await me(asking, await windowToken(idp, 'ada'));
    expect([ada.status, ada.body.error?.code ?? ada.body.code]).toEqual([403, 'not_admitted']);
  });

  test('a token that does not fit, and any where the file names no audience, signs nobody in', async () => {
    const ada = await windowToken(idp, 'ada');
    expect((await me(await start({ token_audience: 'https://other.example' }), ada)).status).toBe(
      401,
    );
    expect((await me(await start({ token_audience: undefined }), ada)).status).toBe(401);
    const studio = await start();
    expect((await me(studio, await windowToken(idp, 'ada', null))).status).toBe(401);
    studio.clock.ms += 3_600_000 + 60_000;
    expect((await me(studio, ada)).status).toBe(401);
  });

  test('a provider whose keys are out of reach is told as that', async () => {
    const signer = await startTokenSigner();
    const token = await signer.sign({
      ...{ sub: 'ada', aud: TEAM_RESOURCE, exp: Math.floor(Date.now() / 1000) + 60 },
    });
    const studio = await start({ issuer: signer.issuer, jwks_uri: `${signer.issuer}/jwks` });
    await signer.close();
    const gone = await me(studio, token);
    expect([gone.status, gone.headers.get('retry-after')]).toEqual([503, '5']);
  });
});
