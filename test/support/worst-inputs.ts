/** A request that is made to cost as much as it can. */
export interface WorstInput {
  readonly what: string;
  readonly service: 'platform' | 'studio' | 'dashboard' | 'gateway';
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** The body as it goes over the wire; made when it is asked for. */
  readonly body?: () => string;
  readonly headers?: () => Readonly<Record<string, string>>;
  /** The body is sent in pieces of so many characters, without its length. */
  readonly pieces?: number;
}

const PROJECT = '/api/projects/default';
const MIB = 1024 * 1024;

function specOf(agent: object, more: object = {}): object {
  return { version: 'v1', agent: { name: 'root', ...agent }, ...more };
}

const LISTS: readonly (readonly [string, () => string])[] = [
  ['10 MB of [[[[', () => '['.repeat(10 * MIB - 100)],
  ['10 MB of {"a":{"a":', () => '{"a":'.repeat(2 * MIB - 100)],
  ['10 MB of [0,0,0', () => `[${'0,'.repeat(5 * MIB - 100)}0]`],
  ['10 MB of [[],[],', () => `[${'[],'.repeat(3 * MIB)}[]]`],
  ['900 KB of nested lists, 1,000 deep', () => `{"spec":${'[['.repeat(450)}${']]'.repeat(450)}}`],
];

const SPECS: readonly (readonly [string, (large: boolean) => object])[] = [
  [
    'steps that are all wrong',
    (large) =>
      specOf(
        {},
        {
          workflow: {
            type: 'sequential',
            steps: Array.from({ length: large ? 60_000 : 6_000 }, () => ({ nope: 1 })),
          },
        },
      ),
  ],
  [
    'steps that hold nothing, three findings each',
    (large) =>
      specOf(
        {},
        {
          workflow: {
            type: 'sequential',
            steps: Array.from({ length: large ? 83_000 : 7_500 }, () => ({})),
          },
        },
      ),
  ],
  [
    'agents that nobody uses',
    (large) =>
      specOf(
        {},
        {
          components: {
            agents: Object.fromEntries(
              Array.from({ length: large ? 20_000 : 2_000 }, (_, i) => [
                `a${i}`,
                { name: `a${i}` },
              ]),
            ),
          },
        },
      ),
  ],
  [
    'a graph of all to all',
    (large) => {
      const count = large ? 160 : 45;
      const nodes = Array.from({ length: count }, (_, i) => ({
        id: `n${i}`,
        kind: 'agent',
        ref: 'a',
      }));
      const edges = nodes.flatMap(({ id: from }) => nodes.map(({ id: to }) => ({ from, to })));
      return specOf(
        {},
        {
          workflow: { type: 'graph', start: 'n0', nodes, edges },
          components: { agents: { a: { name: 'a' } } },
        },
      );
    },
  ],
  ['one key of its own length', (large) => specOf({ ['k'.repeat(large ? 900_000 : 90_000)]: 1 })],
  ['zeros', (large) => specOf({ metadata: { a: new Array(large ? 450_000 : 45_000).fill(0) } })],
  [
    'patterns that unfold',
    (large) =>
      specOf({
        guardrails: {
          input: Array.from({ length: large ? 8_000 : 800 }, (_, i) => ({
            id: `g${i}`,
            type: 'regex',
            action: 'block',
            config: { patterns: ['(?:a{100}){190}', '(?i)[a-zA-Z0-9]{3,90}'] },
          })),
        },
      }),
  ],
];

function guardedRun(patterns: readonly string[], text: string): string {
  const guardrail = { id: 'g', type: 'regex', action: 'block', config: { patterns } };
  return JSON.stringify({ spec: specOf({ guardrails: { input: [guardrail] } }), input: text });
}

const RUNS: readonly (readonly [string, () => string])[] = [
  [
    '300 guardrail patterns over 19 KB',
    () =>
      guardedRun(
        Array.from({ length: 300 }, (_, i) => `(?:a|aa)*a{90}b${i}`),
        'a'.repeat(19_000),
      ),
  ],
  [
    'guardrail patterns with groups that are tried',
    () =>
      guardedRun(
        Array.from({ length: 50 }, () => `${'(a)?'.repeat(90)}\\1\\2z`),
        'a'.repeat(19_000),
      ),
  ],
  [
    'a guardrail pattern of 3,000 look-aheads',
    () => guardedRun(['(?=a)'.repeat(3_000)], 'a'.repeat(19_000)),
  ],
  [
    'a text that redaction looks through from each eyJ',
    () => JSON.stringify({ spec: specOf({}), input: `token ${'eyJ-'.repeat(4_900)}` }),
  ],
];

function n8n(text: string, count = 1): string {
  const nodes = Array.from({ length: count }, (_, i) => ({
    ...{ id: `n${i}`, name: `n${i}`, type: 'n8n-nodes-base.code', typeVersion: 2 },
    ...{ position: [0, 0], parameters: { jsCode: text } },
  }));
  return JSON.stringify({ name: 'worst', nodes, connections: {}, settings: {} });
}

function dense(count: number, each: number): string {
  const nodes = Array.from({ length: count }, (_, i) => ({
    ...{ id: `s${i}`, name: `s${i}`, type: 'n8n-nodes-base.if', typeVersion: 2 },
    ...{ position: [0, 0], parameters: {} },
  }));
  const links = (i: number): object[] =>
    Array.from({ length: each }, (_, next) => ({
      ...{ node: `s${(i + next + 1) % count}`, type: 'main', index: 0 },
    }));
  const connections = Object.fromEntries(nodes.map(({ name }, i) => [name, { main: [links(i)] }]));
  return JSON.stringify({ name: 'dense', nodes, connections });
}

const IMPORTS: readonly (readonly [string, string, () => string])[] = [
  ['97 KB of eyJ-', 'n8n', () => n8n('eyJ-'.repeat(24_000))],
  ['97 KB of {{', 'n8n', () => n8n(`=${'{{ $json.a + '.repeat(7_000)}`)],
  ['900 KB of password=', 'n8n', () => n8n('password="hunter2a" '.repeat(45_000))],
  [
    '900 KB of secrets, each another',
    'n8n',
    () => n8n(Array.from({ length: 25_000 }, (_, i) => `password="hunter2-${i}-x"`).join('\n')),
  ],
  ['96 KB, 120 nodes, all to ten', 'n8n', () => dense(120, 10)],
  ['7 KB, 40 nodes, dense', 'n8n', () => dense(24, 4)],
  ['900 KB of [[[[', 'n8n', () => `{"nodes":${'['.repeat(900_000)}`],
  ['900 KB of [,,,,', 'dify', () => `a: [${','.repeat(900_000)}]`],
  ['900 KB of !!str', 'dify', () => '!!str '.repeat(150_000)],
];

const DRAFTS: readonly (readonly [string, () => string])[] = [
  ['878 KB of [,,,,]', () => `a: [${','.repeat(878_000)}]`],
  ['878 KB of [0,0,0]', () => `a: [${'0,'.repeat(439_000)}]`],
  ['878 KB of [[[[', () => `a: ${'['.repeat(878_000)}`],
  ['800 KB of keys', () => Array.from({ length: 90_000 }, (_, i) => `k${i}: `).join('\n')],
  ['one key of 878 KB', () => `${'k'.repeat(878_000)}: 1`],
  ['878 KB of aliases', () => `a: &a [0]\nb: [${'*a,'.repeat(292_000)}]`],
  ['878 KB of merge keys', () => `a: &a {b: 1}\n${'<<: *a\n'.repeat(125_000)}`],
  ['878 KB of directives', () => '%\n'.repeat(439_000)],
  ['8 KB of keys', () => Array.from({ length: 1_100 }, (_, i) => `k${i}: `).join('\n')],
];

function post(
  service: WorstInput['service'],
  path: string,
  what: string,
  body: () => string,
): WorstInput {
  return { service, path, what, body, method: 'POST' };
}

/** Bodies and addresses that cost, thrown at the routes of the platform and the studio. */
export const WORST_INPUTS: readonly WorstInput[] = [
  ...LISTS.flatMap(([what, body]) => [
    post('platform', '/v1/runs', what, body),
    post('platform', '/v1/specs/validate', what, body),
    post('studio', `${PROJECT}/specs/preview`, what, body),
  ]),
  ...SPECS.flatMap(([what, spec]) =>
    [false, true].flatMap((large) =>
      ['validate', 'compile', 'graph'].map((verb) =>
        post('platform', `/v1/specs/${verb}`, `${large ? 'large' : 'small'}: ${what}`, () =>
          JSON.stringify({ spec: spec(large) }),
        ),
      ),
    ),
  ),
  ...RUNS.map(([what, body]) => post('platform', '/v1/runs', what, body)),
  {
    service: 'platform',
    method: 'GET',
    path: `/v1/runs?q=${encodeURIComponent('a" OR "'.repeat(500))}`,
    what: 'a search of 3 KB of quotes',
  },
  {
    service: 'platform',
    method: 'GET',
    path: `/v1/runs?${'status=failed&'.repeat(900)}`,
    what: 'a query of 900 members',
  },
  {
    service: 'studio',
    method: 'GET',
    path: `${PROJECT}/drafts?${'a=1&'.repeat(3_000)}`,
    what: 'a query of 3,000 members',
  },
  {
    service: 'platform',
    method: 'GET',
    path: '/v1/runs',
    what: '900 headers',
    headers: () => Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, 'v'])),
  },
  ...IMPORTS.map(([what, source, raw]) =>
    post('studio', `${PROJECT}/import/${source}`, `${source}: ${what}`, () =>
      JSON.stringify({ raw: raw(), alias: 'default', source_name: 'worst' }),
    ),
  ),
  ...DRAFTS.map(([what, text]) =>
    post('studio', `${PROJECT}/specs/preview`, what, () =>
      JSON.stringify({
        alias: 'default',
        draft: { path: 'worst.yaml', revision: '0'.repeat(64) },
        text: text(),
      }),
    ),
  ),
];

/** Bodies that are no spec, and specs near the limit, for the doors that pass them on. */
export const WORST_LISTS = LISTS;
export const WORST_SPECS = SPECS.map(
  ([what, spec]) => [`large: ${what}`, () => JSON.stringify({ spec: spec(true) })] as const,
);

/** Drafts that are saved, composed and frozen. */
export const WORST_DRAFTS = DRAFTS;
