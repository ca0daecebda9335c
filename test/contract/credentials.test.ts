// Credentials of imported workflows: real platforms run flows against a real listener.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Credential,
  credentialSecretName,
  credentialText,
} from '../../server/contract/credentials.ts';
import { createSecretStore } from '../../server/host/secrets/secret-store.ts';
import { STORED_SECRETS } from '../../server/runtime/stored-secrets.ts';
import { systemClock } from '../../server/runtime/system-clock.ts';
import { adds, code, type FlowSpecStep, flowSpec } from '../support/flow-specs.ts';
import { memoryKeychain } from '../support/memory-keychain.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

const NAME = 'My account';
const SECRETS = {
  header: 'hdr-Zk31-qq',
  query: 'qry Xp77&=tt',
  user: 'ada',
  password: 'pass:W9f%2A',
  bearer: 'bear-Lm20-rr',
  client: 'client-Vv88-ss',
  refresh: 'refresh-Nn45-uu',
  access: 'access-Tt19-ww',
};

interface Heard {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let listener: Server;
let address = '';
let folder: string;
let heard: Heard[] = [];
let answersWith = 200;
const opened: TestPlatform[] = [];

/** Tells back all that it heard, as text, as JSON and with the credential in words of a failure. */
beforeAll(async () => {
  listener = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += String(part);
    });
    request.on('end', () => {
      const url = new URL(request.url ?? '', address);
      const { headers } = request;
      heard.push({ url, headers, body });
      const isToken = url.pathname === '/token';
      response.writeHead(isToken ? 200 : answersWith, { 'content-type': 'application/json' });
      const echo = { headers, query: Object.fromEntries(url.searchParams), raw: request.url };
      response.end(
        JSON.stringify(
          isToken
            ? { access_token: SECRETS.access, refresh_token: SECRETS.refresh }
            : { message: `refused ${JSON.stringify(echo)}`, echo, ok: true },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'credentials-'));
});
afterEach(async () => {
  heard = [];
  answersWith = 200;
  for (const platform of opened.splice(0)) await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => {
  listener.closeAllConnections();
  listener.close();
});

/** A platform on which a person bound a credential, kept in the encrypted file. */
async function bound(type: string, text: string, env: Loose = {}): Promise<TestPlatform> {
  const file = path.join(folder, 'secrets.json');
  const store = createSecretStore(file, systemClock(), memoryKeychain('absent'));
  await store.put(credentialSecretName(type, NAME), text);
  return open({ [STORED_SECRETS]: file, ...env });
}

async function open(env: Loose = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform({
    env: env as Record<string, string>,
    file: path.join(folder, 'platform.db'),
  });
  opened.push(platform);
  return platform;
}

function asks(type: string, more: Partial<FlowSpecStep> = {}, end = adds('z', 'y')): Loose {
  const step: FlowSpecStep = {
    type: 'n8n-nodes-base.httpRequest',
    version: 4.2,
    parameters: {
      url: `${address}/echo`,
      authentication: 'genericCredentialType',
      genericAuthType: type,
    },
    credentials: { [type]: NAME },
    ...more,
  };
  return flowSpec({ start: adds('a', 'x'), Ask: step, end }, [
    ['start', 'Ask'],
    ['Ask', 'end'],
  ]);
}

async function run(platform: TestPlatform, spec: Loose) {
  const { body } = await platform.post('/v1/runs', { input: '[{}]', spec, async_mode: true });
  return platform.waitFor(body.run_id, 'completed', 'failed');
}

/** Every answer about a run, every line of the log and every byte that is kept. */
async function everythingOf(platform: TestPlatform, id: string): Promise<string> {
  const routes = ['', '/items', '/trace', '/checkpoints', '/spec', '/result'];
  const answers = await Promise.all(
    routes.map(async (route) => (await platform.get(`/v1/runs/${id}${route}`)).text),
  );
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('platform.db'))
    .map((name) => readFileSync(path.join(folder, name), 'latin1'));
  return [...answers, JSON.stringify(platform.logs), ...files].join('\n');
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const KINDS: readonly [string, string, Credential, readonly string[]][] = [
  [
    'header',
    'httpHeaderAuth',
    { kind: 'header', name: 'X-Key', value: SECRETS.header },
    [SECRETS.header],
  ],
  [
    'query',
    'httpQueryAuth',
    { kind: 'query', name: 'key', value: SECRETS.query },
    ['Xp77', encodeURIComponent(SECRETS.query)],
  ],
  [
    'basic',
    'httpBasicAuth',
    { kind: 'basic', user: SECRETS.user, password: SECRETS.password },
    [SECRETS.password, base64(`${SECRETS.user}:${SECRETS.password}`)],
  ],
  ['bearer', 'httpBearerAuth', { kind: 'bearer', token: SECRETS.bearer }, [SECRETS.bearer]],
];

const OAUTH = { client_id: 'desk', client_secret: SECRETS.client, scope: 'read' } as const;

function sent({ headers, url }: Heard): string | null {
  const key = headers['x-key'];
  return typeof key === 'string' ? key : (headers.authorization ?? url.searchParams.get('key'));
}

describe('a bound credential', () => {
  test.each(KINDS)(
    '%s: the request carries it, and nothing that is kept holds it though the server tells it back',
    async (kind, type, credential, secrets) => {
      const platform = await bound(type, credentialText(credential));
      const { body } = await run(platform, asks(type));
      expect(body).toMatchObject({ status: 'completed' });
      const expected = {
        header: SECRETS.header,
        query: SECRETS.query,
        basic: `Basic ${base64(`${SECRETS.user}:${SECRETS.password}`)}`,
        bearer: `Bearer ${SECRETS.bearer}`,
      }[kind];
      expect(heard.map(sent)).toEqual([expected]);
      const all = await everythingOf(platform, body.run_id);
      expect(all).toContain('[REDACTED]');
      for (const secret of secrets) expect(all).not.toContain(secret);
    },
  );

  test.each(['header', 'body'] as const)(
    'OAuth2 client credentials, sent in the %s: a token is asked for and carried',
    async (sent_in) => {
      const text = credentialText({
        kind: 'oauth2_client',
        token_url: `${address}/token`,
        sent_in,
        ...OAUTH,
      });
      const platform = await bound('oAuth2Api', text);
      const { body } = await run(platform, asks('oAuth2Api'));
      expect(body).toMatchObject({ status: 'completed' });
      const [token, request] = heard;
      const form = new URLSearchParams(token?.body);
      expect(form.get('grant_type')).toBe('client_credentials');
      expect(form.get('scope')).toBe('read');
      const basic = `Basic ${base64(`desk:${SECRETS.client}`)}`;
      expect([token?.headers.authorization, form.get('client_secret')]).toEqual(
        sent_in === 'header' ? [basic, null] : [undefined, SECRETS.client],
      );
      expect(request?.headers.authorization).toBe(`Bearer ${SECRETS.access}`);
      const all = await everythingOf(platform, body.run_id);
      for (const secret of [SECRETS.client, SECRETS.access, base64(`desk:${SECRETS.client}`)])
        expect(all).not.toContain(secret);
    },
  );

  test('OAuth2 refresh: the refresh token buys an access token', async () => {
    const text = credentialText({
      kind: 'oauth2_refresh',
      token_url: `${address}/token`,
      refresh_token: SECRETS.refresh,
      sent_in: 'header',
      ...OAUTH,
    });
    const platform = await bound('oAuth2Api', text);
    const { body } = await run(platform, asks('oAuth2Api'));
    const form = new URLSearchParams(heard[0]?.body);
    expect([form.get('grant_type'), form.get('refresh_token')]).toEqual([
      'refresh_token',
      SECRETS.refresh,
    ]);
    expect(heard[1]?.headers.authorization).toBe(`Bearer ${SECRETS.access}`);
    const all = await everythingOf(platform, body.run_id);
    for (const secret of [SECRETS.client, SECRETS.access, SECRETS.refresh])
      expect(all).not.toContain(secret);
  });

  test.each([
    ['127.0.0.1', 'completed', 1],
    ['api.example.com, example.org', 'failed', 0],
  ] as const)('bound for %s: the run is %s, requests: %i', async (hosts, status, requests) => {
    const text = credentialText({ kind: 'bearer', token: SECRETS.bearer, hosts });
    const platform = await bound('httpBearerAuth', text);
    const { body } = await run(platform, asks('httpBearerAuth'));
    expect(body.status).toBe(status);
    expect(heard).toHaveLength(requests);
    if (status === 'failed') expect(body.error.message).toContain('bound for api.example.com');
  });

  test('a failure of the server that quotes it is told without it', async () => {
    answersWith = 401;
    const secret = SECRETS.bearer;
    const platform = await bound(
      'httpBearerAuth',
      credentialText({ kind: 'bearer', token: secret }),
    );
    const { body } = await run(platform, asks('httpBearerAuth'));
    expect(body).toMatchObject({ status: 'failed', current_node_id: 'Ask' });
    expect(body.error.message).toContain('401');
    expect(await everythingOf(platform, body.run_id)).not.toContain(secret);
    const goesOn = asks('httpBearerAuth', { on_error: 'regular_output' });
    const { body: ended } = await run(platform, goesOn);
    expect(ended.status).toBe('completed');
    expect(await everythingOf(platform, ended.run_id)).not.toContain(secret);
  });

  test('a file that holds it is kept without it', async () => {
    const secret = SECRETS.bearer;
    const platform = await bound(
      'httpBearerAuth',
      credentialText({ kind: 'bearer', token: secret }),
    );
    const parameters = {
      url: `${address}/echo`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpBearerAuth',
      options: { response: { response: { responseFormat: 'file' } } },
    };
    const spec = asks(
      'httpBearerAuth',
      { parameters },
      code('return $input.all().map(({ binary }) => ({ json: { file: binary.data.data } }));'),
    );
    const { body } = await run(platform, spec);
    expect(body.status).toBe('completed');
    const text = Buffer.from(body.output_text, 'base64').toString();
    expect(JSON.parse(text).echo.headers.authorization).toBe('[REDACTED]');
  });

  test('headless it comes from a variable that the operator listed; another is refused', async () => {
    const name = credentialSecretName('httpBearerAuth', NAME);
    const value = credentialText({ kind: 'bearer', token: SECRETS.bearer });
    const listed = await open({ [name]: value, SERV_SPEC_SECRETS: name });
    const { body } = await run(listed, asks('httpBearerAuth'));
    expect(body.status).toBe('completed');
    expect(heard.map(sent)).toEqual([`Bearer ${SECRETS.bearer}`]);
    const unlisted = await startTestPlatform({ env: { [name]: value } });
    opened.push(unlisted);
    const refused = await unlisted.post('/v1/specs/compile', {
      spec: asks('httpBearerAuth'),
      strict: false,
    });
    expect(refused.body).toMatchObject({ ok: false });
    expect(refused.body.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'E_SECRET_REFUSED',
        path: 'metadata.flow.steps.Ask.credentials.httpBearerAuth',
      }),
    );
    expect(refused.text).not.toContain(SECRETS.bearer);
  });

  test('one that cannot be read fails the step and is not told', async () => {
    const platform = await bound('httpBearerAuth', '{"kind":"bearer","tokn":"oops-Rr72"}');
    const { body } = await run(platform, asks('httpBearerAuth'));
    expect(body.error.message).toContain('is no credential. Bind it again under Credentials.');
    expect(heard).toEqual([]);
    expect(await everythingOf(platform, body.run_id)).not.toContain('oops-Rr72');
  });
});

test('a credential that nothing is bound to: compile warns at its place, the run says what to do', async () => {
  const platform = await open();
  const spec = asks('httpBearerAuth');
  const compiled = await platform.post('/v1/specs/compile', { spec });
  const secret = credentialSecretName('httpBearerAuth', NAME);
  expect(compiled.body.ok).toBe(true);
  expect(compiled.body.diagnostics).toMatchObject([
    {
      code: 'W_CREDENTIAL_UNBOUND',
      severity: 'warning',
      path: 'metadata.flow.steps.Ask.credentials.httpBearerAuth',
      suggestion: expect.stringContaining(secret),
    },
  ]);
  const { body } = await run(platform, spec);
  expect(body.error.message).toContain(`'${NAME}' (httpBearerAuth) is bound to no secret`);
  expect(body.error.message).toContain(secret);
});
