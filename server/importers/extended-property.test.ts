import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import { parseSpecText } from '../spec/yaml/parse-yaml.ts';
import type { Analysis, Conversion } from './analysis.ts';
import { analyze } from './analyze.ts';
import { linkWorkflows } from './link/link-workflows.ts';
import { readJson } from './read-json.ts';
import { readYaml } from './read-yaml.ts';
import { ledgerFaults } from './testing/check-ledger.ts';

const BASE = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
const CONVERSIONS: Conversion[] = ['strict', 'extended'];

/** What every accepted source gives, in both conversions (importers 15). */
function checkInvariants(analysis: Analysis): void {
  const loaded = loadSpec({ base: analysis.spec });
  const findings = loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
  expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
  const { value, diagnostics } = parseSpecText(analysis.spec_yaml, 'yaml');
  expect(diagnostics).toEqual([]);
  expect(value).toEqual(analysis.spec);
  const ids = analysis.gaps.map((gap) => gap.gap_id);
  expect(new Set(ids).size).toBe(ids.length);
}

function checkNamed(analysis: Analysis): void {
  const named = new Set(analysis.gaps.map((gap) => gap.source_ref.source_id));
  const silent = analysis.canvas.nodes.filter(
    (n) => n.spec_ref === null && !named.has(n.source_id),
  );
  expect(silent.map((node) => [node.source_id, node.type])).toEqual([]);
}

const N8N_TYPES = [
  ...[
    'manualTrigger webhook scheduleTrigger gmailTrigger executeWorkflowTrigger set if switch wait',
    'merge splitInBatches stopAndError noOp httpRequest code filter executeWorkflow stickyNote',
    'respondToWebhook slack aggregate form',
  ]
    .flatMap((line) => line.split(' '))
    .map((name) => BASE + name),
  ...[
    'agent agent agent chainLlm textClassifier lmChatOpenAi lmChatOpenRouter toolHttpRequest toolCode',
    'toolWorkflow agentTool mcpClientTool memoryBufferWindow outputParserStructured chatTrigger',
    'vectorStoreInMemory informationExtractor',
  ]
    .flatMap((line) => line.split(' '))
    .map((name) => LANGCHAIN + name),
  'some-package.thing',
];

const words = fc.constantFrom(
  'A',
  'Ä',
  'a b',
  'Agent',
  'agent',
  '',
  '日本',
  '1',
  '__proto__',
  'x'.repeat(140),
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('={{ $json.output }}', 'text', '={{ $("N0").item.json.x }}', '=x', 5, true),
);

const parameters = fc.oneof(
  fc.dictionary(fc.string(), value, { maxKeys: 3 }),
  fc.record(
    {
      model: value,
      text: value,
      promptType: fc.constantFrom('auto', 'define'),
      mode: fc.constantFrom('rules', 'expression', 'append', 'combine'),
      numberOutputs: fc.constantFrom(2, 3),
      rules: fc.constant({ values: [{}, { outputKey: 'k' }] }),
      conditions: value,
      workflowId: fc.constantFrom('w0', 'w1', { __rl: true, value: 'w2' }),
      resume: fc.constantFrom('timeInterval', 'webhook'),
      amount: fc.constantFrom(1, 1e300, -1),
      options: fc.dictionary(
        fc.constantFrom(
          'temperature',
          'maxTokens',
          'systemMessage',
          'maxIterations',
          'apiKey',
          'z',
        ),
        fc.oneof(value, fc.constantFrom(1e300, -1, 0, 7, 0.5)),
        { maxKeys: 4 },
      ),
      categories: fc.constant({ categories: [{ category: 'a' }, { category: 'b' }] }),
    },
    { requiredKeys: [] },
  ),
);

const n8nNode = fc.record({
  type: fc.constantFrom(...N8N_TYPES),
  typeVersion: fc.constantFrom(1, 1.2, 1.6, 2, 2.2, 3, 3.2),
  word: words,
  disabled: fc.constantFrom(false, false, false, true),
  onError: fc.constantFrom('continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'),
  retryOnFail: fc.boolean(),
  maxTries: fc.constantFrom(0, 3, 99),
  parameters,
});

type N8nNode = typeof n8nNode extends fc.Arbitrary<infer T> ? T : never;

const LINKS = [
  'main',
  'main',
  'main',
  'main',
  'ai_tool',
  'ai_languageModel',
  'ai_memory',
  'ai_outputParser',
  'ai_document',
];

function n8nText(
  nodes: readonly N8nNode[],
  wires: readonly [number, number, number, string][],
  id = 'w0',
) {
  const names = nodes.map(({ word }, i) => (word === '__proto__' ? word + i : `${word} N${i}`));
  const connections: Record<string, Record<string, { node: string }[][]>> = {};
  for (const [from, to, port, type] of wires) {
    const [source, target] = [names[from % nodes.length] ?? '', names[to % nodes.length] ?? ''];
    const buckets = connections[source] ?? {};
    const ports = buckets[type] ?? [[], [], []];
    connections[source] = { ...buckets, [type]: ports };
    ports[port]?.push({ node: target });
  }
  const named = nodes.map(({ word: _word, ...node }, i) => ({
    ...node,
    id: `id-${i}`,
    name: names[i],
  }));
  return JSON.stringify({ id, name: id, nodes: named, connections });
}

const wires = fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.nat(2), fc.constantFrom(...LINKS)), {
  maxLength: 20,
});
const n8n = fc
  .tuple(fc.array(n8nNode, { minLength: 1, maxLength: 12 }), wires)
  .map(([nodes, links]) => n8nText(nodes, links));

const DIFY_TYPES = [
  'start llm llm llm agent if-else question-classifier code http-request tool iteration loop answer',
  'end template-transform variable-aggregator assigner knowledge-retrieval human-input list-operator',
  'iteration-start loop-start loop-end parameter-extractor trigger-webhook trigger-schedule new-thing',
].flatMap((line) => line.split(' '));

const difyNode = fc.record({
  type: fc.constantFrom(...DIFY_TYPES),
  title: words,
  /** Position of the container that it stands in, if it is one. */
  inside: fc.option(fc.nat(11), { nil: undefined }),
  isNote: fc.constantFrom(false, false, false, false, true),
  data: fc.record(
    {
      model: fc.constantFrom(
        { provider: 'openai', name: 'g' },
        {
          provider: 'x/deepseek',
          name: 'd',
          completion_params: { temperature: 1e300, stop: ['a'] },
        },
        { provider: 'openai', name: '' },
      ),
      prompt_template: fc.array(
        fc.record({
          role: fc.constantFrom('system', 'user', 'assistant'),
          text: fc.constantFrom('Hi', '{{#n0.text#}}', '', 'a {{#n1.text#}} b'),
        }),
        { maxLength: 3 },
      ),
      cases: fc.constant([
        {
          case_id: 'k',
          logical_operator: 'and',
          conditions: [
            { variable_selector: ['n1', 'text'], comparison_operator: 'contains', value: 'x' },
          ],
        },
      ]),
      classes: fc.constant([
        { id: '1', name: 'one' },
        { id: '2', name: 'two' },
      ]),
      outputs: fc.constant([]),
      answer: fc.constantFrom('{{#n1.text#}}', 'Hi', 7),
      error_strategy: fc.constantFrom('fail-branch', 'default-value', 'none'),
      retry_config: fc.constant({ retry_enabled: true, max_retries: 99 }),
      memory: fc.constant({ window: { enabled: true, size: 5 } }),
      agent_strategy_provider_name: fc.constant('langgenius/agent/agent'),
      agent_strategy_name: fc.constantFrom('function_calling', 'other'),
      agent_parameters: fc.constant({
        instruction: { type: 'constant', value: 'Act.' },
        maximum_iterations: { type: 'constant', value: '99999999999999999999' },
        tools: { type: 'constant', value: [{ enabled: true, tool_name: 't', type: 'mcp' }] },
      }),
      loop_count: fc.constantFrom(3, 0, 1e300),
    },
    { requiredKeys: [] },
  ),
});

const HANDLES = [undefined, undefined, 'source', 'true', 'false', 'k', '1', 'fail-branch', 'odd'];
const dify = fc
  .tuple(
    fc.array(difyNode, { minLength: 1, maxLength: 12 }),
    fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.constantFrom(...HANDLES)), { maxLength: 20 }),
    fc.constantFrom('workflow', 'advanced-chat'),
  )
  .map(([nodes, edges, mode]) => {
    const made = nodes.map(({ type, title, inside, isNote, data }, i) => {
      const parent = inside === undefined ? {} : { parentId: `n${inside % nodes.length}` };
      const note = isNote ? { type: 'custom-note' } : {};
      return { id: `n${i}`, ...parent, ...note, data: { type, title, ...data } };
    });
    const isNote = (i: number): boolean => nodes[i % nodes.length]?.isNote === true;
    const lines = edges
      .filter(([from, to]) => !isNote(from) && !isNote(to))
      .map(([from, to, sourceHandle]) => ({
        source: `n${from % nodes.length}`,
        target: `n${to % nodes.length}`,
        sourceHandle,
      }));
    const workflow = { graph: { nodes: made, edges: lines } };
    return JSON.stringify({ app: { mode, name: 'App' }, workflow });
  });

const SOURCES = [
  ['n8n', n8n],
  ['dify', dify],
] as const;

describe.each(SOURCES)('any graph of %s', (source, graphs) => {
  it.each(CONVERSIONS)('holds the invariants in the %s conversion', (conversion) => {
    fc.assert(
      fc.property(graphs, (raw) => {
        const outcome = analyze({ source, raw, conversion });
        expect(analyze({ source, raw, conversion })).toEqual(outcome);
        if (!outcome.ok) {
          expect(['source_unparseable', 'source_credential_in_generated_content']).toContain(
            outcome.code,
          );
          return;
        }
        checkInvariants(outcome);
        if (conversion === 'strict') return;
        checkNamed(outcome);
        const root = source === 'n8n' ? readJson(raw) : readYaml(raw);
        expect(ledgerFaults(root, outcome)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });
});

describe('several files', () => {
  it('linked together hold the invariants', () => {
    const file = fc.tuple(fc.array(n8nNode, { minLength: 1, maxLength: 6 }), wires);
    fc.assert(
      fc.property(fc.array(file, { minLength: 2, maxLength: 4 }), (made) => {
        const files = made.flatMap(([nodes, links], i) => {
          const raw = n8nText(nodes, links, `w${i}`);
          const analysis = analyze({ source: 'n8n', raw, conversion: 'extended' });
          return analysis.ok ? [{ file: `w${i}.json`, analysis, raw }] : [];
        });
        for (const [i, { analysis }] of linkWorkflows(files).entries()) {
          checkInvariants(analysis);
          expect(ledgerFaults(readJson(files[i]?.raw ?? ''), analysis)).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

const SECRET = 'Qz7!kP4#vT9$wR2x';

function isQuiet(item: object): boolean {
  const isNote = 'type' in item && item.type === `${BASE}stickyNote`;
  return isNote || ('disabled' in item && item.disabled === true);
}

/** Every place of a source that holds a text under the name of a secret, with a use elsewhere. */
function plant(
  raw: string,
  pick: number,
  where: 'parameters' | 'data',
  conversion: Conversion,
): string | undefined {
  const root: unknown = JSON.parse(raw);
  const places: Record<string, unknown>[] = [];
  const walk = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return;
    if (!Array.isArray(item)) places.push(item as Record<string, unknown>);
    for (const inner of Object.values(item)) walk(inner);
  };
  const collect = (item: unknown): void => {
    if (typeof item !== 'object' || item === null) return;
    // The base table does not look at notes and at what is switched off (importers 4.2, 4.10).
    if (conversion === 'strict' && isQuiet(item)) return;
    for (const [key, inner] of Object.entries(item)) {
      if (key === where) walk(inner);
      else collect(inner);
    }
  };
  collect(root);
  const place = places[pick % Math.max(1, places.length)];
  if (place === undefined) return undefined;
  place['apiKey'] = SECRET;
  place['text'] = `use ${SECRET} here`;
  for (const other of places) {
    if (typeof other['systemMessage'] === 'string') other['systemMessage'] = `say ${SECRET}`;
    if (typeof other['name'] === 'string') other['name'] = `key ${SECRET}`;
    if (typeof other['title'] === 'string') other['title'] = `title ${SECRET}`;
  }
  return JSON.stringify(root);
}

describe.each([
  ['n8n', n8n, 'parameters'],
  ['dify', dify, 'data'],
] as const)('a secret of %s planted anywhere', (source, graphs, where) => {
  it.each(CONVERSIONS)('appears nowhere in the %s conversion', (conversion) => {
    let carried = 0;
    fc.assert(
      fc.property(graphs, fc.nat(200), (raw, pick) => {
        const planted = plant(raw, pick, where, conversion);
        if (planted === undefined) return;
        const isSeen = analyze({ source, raw: planted, conversion });
        const text = JSON.stringify(isSeen);
        const named = isSeen.ok && isSeen.gaps.some((gap) => gap.kind === 'inline_secret');
        if (named) carried += 1;
        if (named || !isSeen.ok) expect(text).not.toContain(SECRET);
      }),
      { numRuns: 120 },
    );
    expect(carried).toBeGreaterThan(20);
  });
});

describe('cases that random graphs found', () => {
  it('agents that are tools of each other: the ring is left open, with a blocking gap', () => {
    const agent = (name: string): object => ({
      id: name,
      name,
      type: `${LANGCHAIN}agent`,
      typeVersion: 1.6,
      parameters: {},
    });
    const tool = (node: string): object => ({ ai_tool: [[{ node }]] });
    const raw = JSON.stringify({
      nodes: ['A', 'B', 'C'].map(agent),
      connections: { A: tool('B'), B: tool('C'), C: tool('A') },
    });
    const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
    if (!outcome.ok) throw new Error(outcome.code);
    checkInvariants(outcome);
    const open = outcome.gaps.filter((gap) => gap.kind === 'offered_tool_not_bound');
    expect(open.map((gap) => [gap.source_ref.source_id, gap.severity])).toEqual([
      ['C', 'blocking'],
    ]);
  });

  it('a trigger inside of a container is a step to be named', () => {
    const nodes = [
      { id: 'i', data: { type: 'loop', title: 'I' } },
      { id: 't', parentId: 'i', data: { type: 'trigger-webhook', title: 'T' } },
      { id: 'l', parentId: 'i', data: { type: 'llm', model: { provider: 'openai', name: 'g' } } },
    ];
    const raw = JSON.stringify({
      app: { mode: 'workflow' },
      workflow: { graph: { nodes, edges: [] } },
    });
    const outcome = analyze({ source: 'dify', raw, conversion: 'extended' });
    if (!outcome.ok) throw new Error(outcome.code);
    checkInvariants(outcome);
    checkNamed(outcome);
  });
});
