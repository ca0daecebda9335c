import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { safeReturn } from '../../server/identity/safe-return.ts';
import { readStudioConfig } from '../../server/studio/config.ts';
import {
  type IdentityProvider,
  OIDC_CLIENT,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import {
  type Answered,
  type StudioUnderTest,
  startStudioUnderTest,
} from '../support/studio-app.ts';
import { P, refused } from '../support/studio-world.ts';

const NOWHERE = 'http://127.0.0.1:9';
/** The studio listens elsewhere; the tests carry what comes back there to it. */
const ORIGIN = 'http://127.0.0.1:8091';
const CALLBACK = `${ORIGIN}/api/session/oidc/callback`;
const START = '/api/session/oidc/start';
const folder = mkdtempSync(path.join(tmpdir(), 'studio-oidc-'));
const file = path.join(folder, 'provider.json');
const studios: StudioUnderTest[] = [];
let idp: IdentityProvider;

beforeAll(async () => {
  idp = await startIdentityProvider(CALLBACK, [
    { id: 'ada', claims: { name: 'Ada', email: 'ada@Example.com', email_verified: true } },
    { id: 'bob', claims: { name: 'Bob', email: 'bob@example.com', email_verified: false } },
    { id: 'eve', claims: { groups: ['studio'] } },
  ]);
});
afterEach(async () => {
  for (const one of studios.splice(0)) await one.dispose();
});
afterAll(async () => {
  await idp.close();
  rmSync(folder, { recursive: true, force: true });
});

function providerFile(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    provider_id: 'test',
    client_id: OIDC_CLIENT.id,
    client_secret: OIDC_CLIENT.secret,
    callback_origin: ORIGIN,
    issuer: idp.issuer,
    authorization_endpoint: `${idp.issuer}/auth`,
    token_endpoint: `${idp.issuer}/token`,
    jwks_uri: `${idp.issuer}/jwks`,
    redirect_allowlist: [CALLBACK],
    admission: { mode: 'provision' },
    ...more,
  };
}

async function start(
  more: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<StudioUnderTest> {
  writeFileSync(file, JSON.stringify(providerFile(more)));
  chmodSync(file, 0o600);
  const studio = await startStudioUnderTest(
    NOWHERE,
    {},
    {
      STUDIO_AUTH_MODE: 'oidc',
      STUDIO_OIDC_PROVIDER_FILE: file,
      ...env,
    },
  );
  // The tokens of the provider are of now.
  studio.clock.ms = Date.now();
  studios.push(studio);
  return studio;
}

const ALLOWED = { mode: 'allowlist', email_domains: ['example.com'] };
const cookieOf = (answer: Answered) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const targetOf = (answer: Answered) => answer.headers.get('location') ?? '';

interface Begun {
  readonly address: string;
  readonly binding: string;
}

async function begin(studio: StudioUnderTest, returnTo = '/projects'): Promise<Begun> {
  const answer = await studio.call('GET', `${START}?return_to=${encodeURIComponent(returnTo)}`);
  expect(answer.status, answer.text).toBe(302);
  return { address: targetOf(answer), binding: cookieOf(answer) };
}

/** What the browser does with the address that the provider sends it back to. */
const bring = (studio: StudioUnderTest, back: string, cookie: string) =>
  studio.call('GET', new URL(back).pathname + new URL(back).search, undefined, { cookie });

async function signIn(studio: StudioUnderTest, who: string, returnTo?: string): Promise<Answered> {
  const { address, binding } = await begin(studio, returnTo);
  return bring(studio, await idp.signIn(address, who), binding);
}

describe('sign-in at an identity provider (studio.md 4.3, AS-145)', { timeout: 60_000 }, () => {
  test('the way to the provider carries PKCE, state and nonce, and a cookie of the callback', async () => {
    const studio = await start();
    const answer = await studio.call('GET', START);
    const address = new URL(targetOf(answer));
    expect(`${address.origin}${address.pathname}`).toBe(`${idp.issuer}/auth`);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: OIDC_CLIENT.id,
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^studio_oidc_binding=[\w-]{43}; Max-Age=600; Path=\/api\/session\/oidc\/callback;/,
    );
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
  });

  test('somebody on the list comes back with a session, to the page that was asked for', async () => {
    const studio = await start({ admission: ALLOWED });
    const answer = await signIn(studio, 'ada', '/projects?x=1');
    expect([answer.status, targetOf(answer)]).toEqual([302, '/projects?x=1']);
    const me = await studio.call('GET', '/api/me', undefined, { cookie: cookieOf(answer) });
    expect(me.body).toMatchObject({ display_name: 'Ada', auth_mode: 'oidc', projects: [] });
  });

  test('an address that is not verified is none; who is not on the list stays out', async () => {
    const studio = await start({ admission: ALLOWED });
    expect(targetOf(await signIn(studio, 'bob'))).toBe('/?error=not_admitted');
    expect(targetOf(await signIn(studio, 'eve'))).toBe('/?error=not_admitted');
    const groups = await start({ admission: { mode: 'allowlist', groups: ['studio'] } });
    expect(targetOf(await signIn(groups, 'eve'))).toBe('/projects');
  });

  test('where everybody may ask, who comes first waits for approval', async () => {
    const studio = await start();
    expect(targetOf(await signIn(studio, 'ada'))).toBe('/?error=not_admitted');
  });

  test('the owner of the file takes the studio over, and invites by verified address', async () => {
    const bootstrap = { owner: { kind: 'oidc', issuer: idp.issuer, subject: 'eve' } };
    const studio = await start({
      bootstrap,
      admission: { mode: 'allowlist', groups: ['studio'], email_domains: ['example.com'] },
    });
    const cookie = cookieOf(await signIn(studio, 'eve'));
    const me = await studio.call('GET', '/api/me', undefined, { cookie });
    expect(me.body.projects).toMatchObject([{ id: 'default', role: 'owner' }]);
    const { body } = await studio.call('GET', `${P}/drafts/exposure`, undefined, { cookie });
    const invitation = {
      role: 'editor',
      selector_kind: 'verified_email',
      selector_value: 'ada@EXAMPLE.com',
      exposure_digest: body.exposure_digest,
    };
    const invited = await studio.call('POST', `${P}/invitations`, invitation, { cookie });
    expect(invited.status, invited.text).toBeLessThan(300);
    const guest = cookieOf(await signIn(studio, 'ada'));
    const theirs = await studio.call('GET', '/api/me', undefined, { cookie: guest });
    expect(theirs.body.projects).toMatchObject([{ id: 'default', role: 'editor' }]);
  });

  test('a callback without its cookie, with another one, twice, too late or without a code', async () => {
    const studio = await start({ admission: ALLOWED });
    const first = await begin(studio);
    const back = await idp.signIn(first.address, 'ada');
    expect(targetOf(await bring(studio, back, ''))).toBe('/?error=invalid_state');
    const second = await begin(studio);
    const other = await begin(studio);
    const again = await idp.signIn(second.address, 'ada');
    expect(targetOf(await bring(studio, again, other.binding))).toBe('/?error=invalid_state');
    const third = await begin(studio);
    const good = await idp.signIn(third.address, 'ada');
    expect(targetOf(await bring(studio, good, third.binding))).toBe('/projects');
    expect(targetOf(await bring(studio, good, third.binding))).toBe('/?error=invalid_state');
    const late = await begin(studio);
    studio.clock.ms += 601_000;
    expect(targetOf(await bring(studio, await idp.signIn(late.address, 'ada'), late.binding))).toBe(
      '/?error=expired_attempt',
    );
    const bare = await begin(studio);
    const state = new URL(bare.address).searchParams.get('state') ?? '';
    const refusal = `${CALLBACK}?error=access_denied&state=${state}`;
    expect(targetOf(await bring(studio, refusal, bare.binding))).toBe('/?error=invalid_state');
    expect(targetOf(await bring(studio, CALLBACK, bare.binding))).toBe('/?error=invalid_state');
  });

  test('a code of another sign-in, and a provider that is another than it says', async () => {
    const studio = await start({ admission: ALLOWED });
    const [one, two] = [await begin(studio), await begin(studio)];
    const stolen = new URL(await idp.signIn(one.address, 'ada'));
    stolen.searchParams.set('state', new URL(two.address).searchParams.get('state') ?? '');
    expect(targetOf(await bring(studio, stolen.href, two.binding))).toBe('/?error=provider_error');
    const liar = await start({ admission: ALLOWED, issuer: 'https://id.example' });
    expect(targetOf(await signIn(liar, 'ada'))).toBe('/?error=provider_error');
    const keyless = await start({ admission: ALLOWED, jwks_uri: `${idp.issuer}/nothing` });
    expect(targetOf(await signIn(keyless, 'ada'))).toBe('/?error=provider_error');
    const wrong = await start({ admission: ALLOWED, client_secret: 'another' });
    expect(targetOf(await signIn(wrong, 'ada'))).toBe('/?error=provider_error');
  });

  test('too many sign-ins from one address, and too many under way', async () => {
    const studio = await start({}, { STUDIO_LOGIN_START_LIMIT: '2' });
    await begin(studio);
    await begin(studio);
    const held = await studio.call('GET', START);
    refused(held, 429, 'too_many_login_starts');
    expect(held.headers.get('retry-after')).toBe('60');
    const full = await start({}, { STUDIO_MAX_OIDC_ATTEMPTS: '1' });
    await begin(full);
    refused(await full.call('GET', START), 503, 'too_many_login_attempts');
    full.clock.ms += 601_000;
    await begin(full);
  });

  test('the store keeps no session and no binding that could be presented', async () => {
    const studio = await start({ admission: ALLOWED });
    const { binding } = await begin(studio);
    const cookie = cookieOf(await signIn(studio, 'ada'));
    const kept = JSON.stringify([
      await studio.rows('SELECT * FROM session'),
      await studio.rows('SELECT * FROM oidc_attempt'),
    ]);
    expect(kept).not.toContain(cookie.split('=')[1]);
    expect(kept).not.toContain(binding.split('=')[1]);
  });

  test('passwords are no way in', async () => {
    const studio = await start();
    refused(
      await studio.call('POST', '/api/session', { username: 'a', password: 'b' }),
      404,
      'login_unavailable',
      {
        auth_mode: 'oidc',
      },
    );
    expect((await studio.call('DELETE', '/api/session')).status).toBe(204);
  });

  test.each([
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/\t/evil.example', '/'],
    [`/${'x'.repeat(512)}`, '/'],
    ['/projects/default?tab=gaps#x', '/projects/default?tab=gaps#x'],
    [undefined, '/'],
  ])('return_to %j leads to %j', (wanted, expected) => {
    expect(safeReturn(wanted)).toBe(expected);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['discovery', { discovery: true }, /discovery/],
    ['an issuer without https', { issuer: 'http://id.example' }, /https/],
    ['a callback that is not listed', { redirect_allowlist: ['https://a.example/x'] }, /callback/],
    ['an allowlist without a rule', { admission: { mode: 'allowlist' } }, /at least one rule/],
    ['rules for everybody', { admission: { mode: 'provision', groups: ['a'] } }, /no rules/],
    [
      'an endpoint that sets the state',
      { authorization_endpoint: 'https://a.example/?state=1' },
      /state/,
    ],
    ['an address with a password', { token_endpoint: 'https://a:b@a.example/' }, /password/],
    ['no secret', { client_secret: undefined }, /client_secret/],
  ])('the studio does not start with %s', async (_what, more, message) => {
    await expect(start(more)).rejects.toThrow(message);
  });

  test('a mode without its file, and a word that is no mode', async () => {
    const alone = { STUDIO_AUTH_MODE: 'oidc' };
    await expect(startStudioUnderTest(NOWHERE, {}, alone)).rejects.toThrow(
      'STUDIO_OIDC_PROVIDER_FILE',
    );
    expect(() => readStudioConfig({ STUDIO_AUTH_MODE: 'saml' })).toThrow('STUDIO_AUTH_MODE');
  });
});
