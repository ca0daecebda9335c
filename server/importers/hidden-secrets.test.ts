import { describe, expect, it } from 'vitest';
import { secretsInText } from '../kernel/secrets-in-text.ts';
import { analyze } from './analyze.ts';
import { findHiddenSecrets } from './hidden-secrets.ts';

const BASE = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
/** One known by its form, one only by where it stands. */
const SHAPED = 'sk-proj-Ab3dEf6hIj9kLm2nOp5q';
const PLAIN = 'Qz7kP4vT9wR2xLm8';

interface Item {
  readonly [member: string]: unknown;
}

const link = (node: string): Item => ({ main: [[{ node, type: 'main', index: 0 }]] });

function element(change: Item): Item {
  const node = { id: 'a', name: 'A', type: `${BASE}httpRequest`, typeVersion: 4.2, parameters: {} };
  return { ...node, ...change };
}

function n8n(nodes: readonly Item[], connections: Item): string {
  const start = { id: 't', name: 'T', type: `${BASE}manualTrigger`, typeVersion: 1 };
  return JSON.stringify({ nodes: [{ ...start, parameters: {} }, ...nodes], connections });
}

const flow = (change: Item): string => {
  const node = element(change);
  return n8n([node], { T: link(String(node['name'])) });
};
const set = (parameters: Item): string => flow({ parameters });
const code = (text: string): string => flow({ type: `${BASE}code`, parameters: { jsCode: text } });

const agent = element({ id: 'g', name: 'G', type: `${LANGCHAIN}agent`, typeVersion: 2 });
const offered = (type: string, parameters: Item): string =>
  n8n([agent, element({ type: LANGCHAIN + type, typeVersion: 1, parameters })], {
    T: link('G'),
    A: { ai_tool: [[{ node: 'G', type: 'ai_tool', index: 0 }]] },
  });

const N8N: Readonly<Record<string, string>> = {
  'the name of an element': flow({ name: `call ${SHAPED}` }),
  'the name of a credential': flow({ credentials: { httpHeaderAuth: { id: '1', name: SHAPED } } }),
  'a credential written as text': flow({ credentials: { httpHeaderAuth: SHAPED } }),
  'a body of JSON': set({ jsonBody: `{"api_key":"${PLAIN}","q":1}` }),
  'a computed body': set({ jsonBody: `={\n "password" : "${PLAIN}", "q": {{ $json.q }} }` }),
  'the query of an address': set({ url: `https://x.example/a?api_key=${PLAIN}&b=1` }),
  'the query of a computed address': set({
    url: `=https://x.example?token=${PLAIN}&b={{ $json.q }}`,
  }),
  'an assignment in code': code(`const apiKey = "${PLAIN}";`),
  'a header in code': code(`h = {'X-Api-Key': '${PLAIN}'}`),
  'a computed header': set({
    headerParameters: { parameters: [{ name: 'X-Api-Key', value: `={{ "${PLAIN}" }}` }] },
  }),
  'a list under a secret name': set({ apiKeys: [PLAIN] }),
  'a structure under a secret name': set({ password: { value: PLAIN } }),
  'the name of a parameter': set({ [SHAPED]: 'x' }),
  'a connection to an element that is not there': n8n([], { T: link(SHAPED) }),
  'the address of a server': offered('mcpClientTool', {
    endpointUrl: `https://x.example/mcp?token=${PLAIN}`,
  }),
  'the words of a tool': offered('toolHttpRequest', { toolDescription: `with ${SHAPED}` }),
  'an element that is switched off, and a prompt': n8n(
    [
      element({ type: `${BASE}set`, disabled: true, parameters: { apiKey: PLAIN } }),
      { ...agent, parameters: { options: { systemMessage: `say ${PLAIN}` } } },
    ],
    { T: link('A'), A: link('G') },
  ),
  'the place where a gap is cut': n8n(
    [
      {
        ...agent,
        parameters: {
          options: { systemMessage: `={{ '${'x'.repeat(1_950)}' + f('${SHAPED}') }}` },
        },
      },
    ],
    { T: link('G') },
  ),
  'a cookie header': set({
    headerParameters: { parameters: [{ name: 'Cookie', value: `sid=${PLAIN}; a=b` }] },
  }),
  'a cookie header in code': code(`headers["Cookie"] = "sid=${PLAIN}"`),
  'a cookie header as a member': set({ headers: { cookie: `sid=${PLAIN}` } }),
  'a curl command': code(`curl -u ada:${PLAIN} https://x.example`),
  'a curl command with a header': code(`curl -H 'X-Api-Key: ${PLAIN}' https://x.example`),
  'a curl command with a cookie': code(`curl --header "Cookie: sid=${PLAIN}" https://x.example`),
  'a command of an element': flow({
    type: `${BASE}executeCommand`,
    parameters: { command: `curl -u "ada:${PLAIN}" https://x.example` },
  }),
  'a statement of a database': flow({
    type: `${BASE}mySql`,
    parameters: { query: `CREATE USER 'ada' IDENTIFIED BY '${PLAIN}'` },
  }),
  'a connection string': set({ text: `Server=db;User Id=ada;Password=${PLAIN};` }),
  'an address with a password': set({ text: `postgres://ada:${PLAIN}@db.example/shop` }),
  'a prompt with a password': n8n(
    [{ ...agent, parameters: { options: { systemMessage: `Log in, password: ${PLAIN}.` } } }],
    { T: link('G') },
  ),
  'a prompt that says it': n8n(
    [{ ...agent, parameters: { options: { systemMessage: `The password is ${PLAIN}, use it.` } } }],
    { T: link('G') },
  ),
  'the name of an element that says it': flow({ name: `password: ${PLAIN}` }),
  'the name of a credential that says it': flow({
    credentials: { httpHeaderAuth: { id: '1', name: `api key: ${PLAIN}` } },
  }),
  'the name of a credential that is its value': flow({
    credentials: { httpHeaderAuth: { id: '1', name: PLAIN } },
  }),
  'a note': n8n(
    [element({ type: `${BASE}stickyNote`, parameters: { content: `password: ${PLAIN}` } })],
    { T: link('A') },
  ),
  'the place where a long text is cut': code(`${'x'.repeat(3_990)} apiKey="${PLAIN}"`),
};

function dify(data: Item, more: Item = {}): string {
  const nodes = [
    { id: 's', data: { type: 'start', title: 'S' } },
    { id: 'a', data: { title: 'A', ...data } },
  ];
  const edges = [{ source: 's', target: 'a', sourceHandle: 'source' }];
  const app = { name: 'a', mode: 'workflow' };
  return JSON.stringify({ version: '0.3.0', app, workflow: { graph: { nodes, edges }, ...more } });
}

const model = { provider: 'openai', name: 'g' };
const prompt = (text: string): Item => ({
  ...{ type: 'llm', model, prompt_template: [{ role: 'system', text }] },
});

const DIFY: Readonly<Record<string, string>> = {
  'a prompt with a password': dify(prompt(`Log in, password: ${PLAIN}`)),
  'a header line': dify({
    ...{ type: 'http-request', url: 'https://x.example' },
    headers: `X-Api-Key: ${PLAIN}\nCookie: sid=${PLAIN}`,
  }),
  'a title': dify({ ...prompt('x'), title: SHAPED }),
  'a prompt': dify(prompt(`say ${SHAPED}`)),
  'code, by its form': dify({ type: 'code', code: `x="${SHAPED}"` }),
  'code, by its name': dify({ type: 'code', code: `api_key = "${PLAIN}"` }),
  'the query of an address': dify({ type: 'http-request', url: `https://x.example?key=${PLAIN}` }),
  'a body of JSON': dify({
    ...{ type: 'http-request', url: 'https://x.example' },
    body: { type: 'json', data: [{ type: 'text', value: `{"api_key":"${PLAIN}"}` }] },
  }),
  'a constant of a tool': dify({
    ...{ type: 'tool', provider_id: 'x', tool_name: 'y' },
    tool_parameters: { q: { type: 'constant', value: SHAPED } },
  }),
  'a variable that is named for it': dify(prompt(`say ${PLAIN}`), {
    environment_variables: [{ name: 'API_KEY', value_type: 'string', value: PLAIN }],
  }),
  'the settings of an app': JSON.stringify({
    ...{ version: '0.3.0', app: { name: 'a', mode: 'chat' } },
    model_config: { model, pre_prompt: `x ${SHAPED}`, opening_statement: SHAPED },
  }),
};

describe.each([
  ['n8n', N8N],
  ['dify', DIFY],
] as const)('a secret of %s in', (source, cases) => {
  it.each(Object.entries(cases))('%s is found, and carried nowhere', (_place, raw) => {
    const outcome = analyze({ source, raw, conversion: 'extended' });
    expect(outcome.ok).toBe(true);
    const text = JSON.stringify(outcome);
    expect(text).not.toContain(SHAPED);
    expect(text).not.toContain(PLAIN);
    expect(text).not.toContain(PLAIN.slice(0, 6));
    expect(text).not.toContain(SHAPED.slice(0, 12));
  });
});

describe('what is no secret', () => {
  it.each([
    'const token = process.env.TOKEN_1;',
    '{"authorization": "{{ $json.token1 }}"}',
    'maxTokens: "1000000000"',
    'api_key: "YOUR_API_KEY_1"',
    "={{ $('Get token 1').item.json.access_token }}",
    'https://x.example/a?page=12345678&sort=keyword1',
    'Ask the user for the password: never store it.',
  ])('%s', (text) => {
    expect(secretsInText(text)).toEqual([]);
  });

  it('the names of credentials', () => {
    const raw = flow({
      credentials: { openAiApi: { id: 'a1b2c3d4e5', name: 'Account-12345678' } },
    });
    const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
    expect(outcome.ok && outcome.gaps.filter((gap) => gap.kind === 'inline_secret')).toEqual([]);
  });

  it('a kind of credential, the parts of a locator, a reference', () => {
    const value = new Map<string, string>([['nodeCredentialType', 'slackOAuth2Api']]);
    expect(findHiddenSecrets(value, '')).toEqual([]);
    const locator = new Map([['secretId', new Map([['mode', 'list-mode-1']])]]);
    expect(findHiddenSecrets(locator, '')).toEqual([]);
    const computed = new Map([['password', "={{ $('GetToken1').item.json.pass }}"]]);
    expect(findHiddenSecrets(computed, '')).toEqual([]);
  });
});

describe('texts made to take long', () => {
  it.each(['a=', 'a:"', 'api_key = "x', '?a=', '{{', 'eyJ', 'a ', 'apikey="x'])('%s', (part) => {
    const text = `=${part.repeat(Math.floor(500_000 / part.length))}`;
    const start = performance.now();
    findHiddenSecrets(new Map([['password', text]]), '');
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
