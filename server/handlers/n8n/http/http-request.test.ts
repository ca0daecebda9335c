import { afterAll, describe, expect, it } from 'vitest';
import { callHandler } from '../../../../test/support/handler-call.ts';
import { startPeer } from '../../../../test/support/n8n-peer.ts';
import { n8nPorts } from '../../../../test/support/n8n-ports.ts';
import { Credential } from '../../../contract/credentials.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { Item } from '../../../items/item.ts';
import { type HandlerNode, StepFailure } from '../../handler.ts';
import type { HttpAnswer, HttpRequest } from '../../http-port.ts';
import type { HandlerPorts } from '../../ports.ts';

const evaluator = createEvaluator();
const peer = await startPeer();
const BASE = `http://${peer.host}/c/test`;
afterAll(async () => {
  await evaluator.close();
  peer.close();
});

interface Asked extends Partial<Omit<HandlerNode, 'type' | 'name'>> {
  readonly items?: readonly Item[];
  readonly ports?: Partial<HandlerPorts>;
  readonly credential?: Credential;
}

async function ask(parameters: Record<string, unknown>, asked: Asked = {}) {
  const { items = [{ json: {} }], ports, credential, ...node } = asked;
  const bound =
    credential === undefined ? {} : { [String(parameters['genericAuthType'])]: credential };
  const full = { version: 4.2, parameters: { options: {}, ...parameters }, ...node };
  const world = { ...n8nPorts(bound), ...ports };
  try {
    const of = { type: 'httpRequest', ...full, inputs: [items], ports: world };
    return (await callHandler(evaluator, of)).outputs;
  } catch (error) {
    if (error instanceof StepFailure) return { failed: error.message };
    throw error;
  }
}

function jsons(given: Awaited<ReturnType<typeof ask>>): unknown {
  return 'failed' in given ? given : given.map((list) => list?.map(({ json }) => json));
}

function auth(genericAuthType: string) {
  return { url: `${BASE}/echo`, authentication: 'genericCredentialType', genericAuthType };
}

describe('lists and redirects depend on the version', () => {
  it.each([
    [1, [[{ id: 1 }, { id: 2 }, { id: 3 }]]],
    [2, [[{ id: 1 }, { id: 2 }, { id: 3 }]]],
    [3, [{ id: 1 }, { id: 2 }, { id: 3 }]],
    [4.2, [{ id: 1 }, { id: 2 }, { id: 3 }]],
  ])('a list in version %d', async (version, expected) => {
    expect(jsons(await ask({ url: `${BASE}/json/array` }, { version }))).toEqual([expected]);
  });

  it('version 3 does not follow a redirect, 4 does', async () => {
    const url = `${BASE}/redirect`;
    expect(await ask({ url }, { version: 3 })).toEqual({ failed: '302 - ""' });
    const [[followed] = []] = (await ask({ url })) as Item[][];
    expect(followed?.json).toMatchObject({ query: [['from', 'redirect']] });
  });
});

describe('what a request carries', () => {
  it('files and texts of a form', async () => {
    const file = { mimeType: 'text/plain', fileName: 'a "b".txt', data: 'aGk=' };
    const pairs = [
      { name: 'title', value: '={{ $json.t }}' },
      { name: 'doc', parameterType: 'formBinaryData', inputDataFieldName: 'data' },
    ];
    const parameters = {
      method: 'POST',
      url: `${BASE}/echo`,
      sendBody: true,
      contentType: 'multipart-form-data',
      bodyParameters: { parameters: pairs },
    };
    const items = [{ json: { t: 'T' }, binary: { data: file } }];
    const [[echo] = []] = (await ask(parameters, { items })) as Item[][];
    const { body = '', headers = {} } = (echo?.json ?? {}) as {
      body?: string;
      headers?: Record<string, string>;
    };
    const [, boundary = '?'] =
      /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? [];
    expect(body.split(`--${boundary}`).map((part) => part.trim())).toEqual([
      '',
      'Content-Disposition: form-data; name="title"\r\n\r\nT',
      'Content-Disposition: form-data; name="doc"; filename="a %22b%22.txt"\r\nContent-Type: text/plain\r\n\r\nhi',
      '--',
    ]);
  });

  it.each([
    ['sendQuery', 'specifyQuery', 'jsonQuery', 'JSON Query Parameters'],
    ['sendHeaders', 'specifyHeaders', 'jsonHeaders', 'JSON Headers'],
    ['sendBody', 'specifyBody', 'jsonBody', 'JSON Body'],
  ])('%s that is no JSON is told', async (sends, specify, json, label) => {
    const parameters = { url: `${BASE}/echo`, [sends]: true, [specify]: 'json', [json]: '{a}' };
    expect(await ask(parameters)).toEqual({
      failed: `The value in the "${label}" field is not valid JSON`,
    });
  });
});

describe('items of a step ask at once, within bounds', () => {
  it('twenty at a time, answered in their order', async () => {
    let open = 0;
    let most = 0;
    const http = async ({ url }: HttpRequest): Promise<HttpAnswer> => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, Number(url.split('?')[1]) % 7));
      open -= 1;
      const body = new TextEncoder().encode(url.split('?')[1]);
      return { url, status: 200, statusText: 'OK', headers: {}, body };
    };
    const items = Array.from({ length: 60 }, (_, n) => ({ json: { n } }));
    const given = await ask({ url: '=http://h/?{{ $json.n }}' }, { items, ports: { http } });
    expect(jsons(given)).toEqual([items.map(({ json }) => ({ data: String(json.n) }))]);
    expect(most).toBe(20);
  });

  it('in batches with pauses between them', async () => {
    const pauses: number[] = [];
    const pause = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms));
    const items = Array.from({ length: 5 }, () => ({ json: {} }));
    const options = { batching: { batch: { batchSize: 2, batchInterval: 30 } } };
    await ask({ url: `${BASE}/json/object`, options }, { items, ports: { pause } });
    expect(pauses).toEqual([30, 30]);
  });
});

function paging(pagination: Record<string, unknown>) {
  return { options: { pagination: { pagination } } };
}
const PAGE = { parameters: { parameters: [{ name: 'page', value: '={{ $pageCount + 1 }}' }] } };

describe('a request is paged', () => {
  it('until as many pages came as are wanted', async () => {
    const limit = paging({ ...PAGE, limitPagesFetched: true, maxRequests: 2 });
    const given = await ask({ url: `${BASE}/page`, ...limit });
    expect(jsons(given)).toMatchObject([[{ page: 1 }, { page: 2 }]]);
  });

  it('until a status says so, and fails with any other', async () => {
    const by = { ...PAGE, paginationCompleteWhen: 'receiveSpecificStatusCodes' };
    const url = `${BASE}/status/404`;
    const last = paging({ ...by, statusCodesWhenComplete: '404,410' });
    expect(jsons(await ask({ url, ...last }))).toEqual([[{ error: 'status 404', code: 'E404' }]]);
    const other = paging({ ...by, statusCodesWhenComplete: '410' });
    expect(await ask({ url, ...other })).toMatchObject({
      failed: expect.stringMatching(/^404 - /),
    });
  });

  it('but not for ever', async () => {
    const same = paging({
      ...PAGE,
      paginationCompleteWhen: 'other',
      completeExpression: '={{ false }}',
    });
    const given = await ask({ url: `${BASE}/json/object`, ...same });
    expect(given).toMatchObject({ failed: expect.stringContaining('identical 5x') });
  });
});

describe('credentials', () => {
  it.each([
    ['httpHeaderAuth', { kind: 'header', name: 'X-Key', value: 's3cret' }, { 'x-key': 's3cret' }],
    ['httpBasicAuth', { kind: 'basic', user: 'u', password: 'p' }, { authorization: 'Basic dTpw' }],
    ['httpBearerAuth', { kind: 'bearer', token: 't' }, { authorization: 'Bearer t' }],
  ])('%s is added to the headers', async (type, credential, headers) => {
    const [[echo] = []] = (await ask(auth(type), {
      credential: Credential.parse(credential),
    })) as Item[][];
    expect(echo?.json['headers']).toMatchObject(headers);
  });

  it('in the query', async () => {
    const credential = Credential.parse({ kind: 'query', name: 'key', value: 'a&b' });
    const [[echo] = []] = (await ask(auth('httpQueryAuth'), { credential })) as Item[][];
    expect(echo?.json['query']).toEqual([['key', 'a&b']]);
  });

  it('of OAuth2 ask for one token for all items', async () => {
    const asked: HttpRequest[] = [];
    const http = async (request: HttpRequest): Promise<HttpAnswer> => {
      asked.push(request);
      const body = new TextEncoder().encode('{"access_token":"fresh"}');
      const headers = { 'content-type': 'application/json' };
      return { url: request.url, status: 200, statusText: 'OK', headers, body };
    };
    const credential = Credential.parse({
      kind: 'oauth2_client',
      token_url: 'https://id.example/token',
      client_id: 'me',
      client_secret: 'mine',
      scope: 'read',
    });
    const items = [{ json: {} }, { json: {} }];
    await ask(auth('oAuth2Api'), { credential, items, ports: { http } });
    const [token, ...rest] = asked;
    expect(new TextDecoder().decode(token?.body)).toBe('grant_type=client_credentials&scope=read');
    expect(token?.headers['authorization']).toBe('Basic bWU6bWluZQ==');
    expect(rest.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer fresh',
      'Bearer fresh',
    ]);
  });

  it('that are bound to nothing say which one', async () => {
    const node = { credentials: { httpHeaderAuth: 'Shop key' } };
    const { failed } = (await ask(auth('httpHeaderAuth'), node)) as { failed: string };
    expect(failed).toContain("'Shop key' (httpHeaderAuth)");
  });

  it('are in no message', async () => {
    const credential = Credential.parse({ kind: 'header', name: 'X-Key', value: 's3cret-value' });
    const http = async ({ url, headers }: HttpRequest): Promise<HttpAnswer> => {
      const body = new TextEncoder().encode(JSON.stringify(headers));
      return { url, status: 401, statusText: '', headers: {}, body };
    };
    const given = await ask(auth('httpHeaderAuth'), {
      credential,
      onError: 'regular_output',
      ports: { http },
    });
    expect(JSON.stringify(given)).toContain('401 - ');
    expect(JSON.stringify(given)).not.toContain('s3cret-value');
  });
});

describe('what is not supported is refused in words', () => {
  it.each([
    [{ options: { proxy: 'http://p' }, url: `${BASE}/echo` }, 'proxy'],
    [{ options: { allowUnauthorizedCerts: true }, url: 'https://h/' }, 'Certificates'],
  ])('%j', async (parameters, word) => {
    expect(await ask(parameters)).toMatchObject({ failed: expect.stringContaining(word) });
  });

  it('a host that nobody reaches fails its item only', async () => {
    const items = [{ json: { p: 9 } }, { json: {} }];
    const url = `={{ $json.p ? "http://127.0.0.1:9/" : "${BASE}/json/object" }}`;
    const given = await ask({ url }, { items, onError: 'error_output' });
    expect(jsons(given)).toMatchObject([[{ id: 7 }], [{ p: 9, error: { code: 'ECONNREFUSED' } }]]);
  });
});
