import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Gap } from './analysis.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);

const BASE = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

interface Row {
  readonly row: string;
  readonly type: string;
  readonly version?: number;
  readonly parameters?: object;
  /** Members of the node beside its parameters. */
  readonly more?: object;
  /** Attached to an agent by this kind of link instead of standing in the flow. */
  readonly attached?: string;
  /** Worst severity that any gap of the element has. */
  readonly worst: 'blocking' | 'manual' | 'info';
}

/** One row for each class of importers 14 that n8n has. */
const ROWS: readonly Row[] = [
  { row: 'newer agent', type: `${LANGCHAIN}agent`, version: 2.2, worst: 'info' },
  { row: 'model call', type: `${LANGCHAIN}chainLlm`, version: 1.4, worst: 'info' },
  {
    row: 'classifier',
    type: `${LANGCHAIN}textClassifier`,
    parameters: { categories: { categories: [{ category: 'a' }] } },
    worst: 'manual',
  },
  {
    row: 'memory',
    type: `${LANGCHAIN}memoryBufferWindow`,
    attached: 'ai_memory',
    worst: 'manual',
  },
  {
    row: 'answer shape',
    type: `${LANGCHAIN}outputParserStructured`,
    parameters: { jsonSchemaExample: '{"a":1}' },
    attached: 'ai_outputParser',
    worst: 'manual',
  },
  {
    row: 'workflow as a tool',
    type: `${LANGCHAIN}toolWorkflow`,
    parameters: { workflowId: 'x' },
    attached: 'ai_tool',
    worst: 'manual',
  },
  {
    row: 'MCP client',
    type: `${LANGCHAIN}mcpClientTool`,
    parameters: { endpointUrl: 'https://example.test/mcp' },
    attached: 'ai_tool',
    worst: 'manual',
  },
  {
    row: 'tool without backing',
    type: `${LANGCHAIN}toolHttpRequest`,
    attached: 'ai_tool',
    worst: 'blocking',
  },
  { row: 'app tool', type: `${BASE}slackTool`, attached: 'ai_tool', worst: 'blocking' },
  { row: 'knowledge', type: `${LANGCHAIN}vectorStoreInMemory`, worst: 'blocking' },
  ...['httpRequest', 'code', 'set', 'splitOut', 'aggregate', 'filter', 'slack'].map((name) => ({
    row: `function ${name}`,
    type: BASE + name,
    worst: 'blocking' as const,
  })),
  { row: 'answer of a webhook', type: `${BASE}respondToWebhook`, worst: 'manual' },
  ...['noOp', 'executionData'].map((name) => ({
    row: `skipped ${name}`,
    type: BASE + name,
    worst: 'info' as const,
  })),
  { row: 'stop', type: `${BASE}stopAndError`, worst: 'manual' },
  { row: 'wait', type: `${BASE}wait`, version: 1.1, worst: 'manual' },
  {
    row: 'question to a person',
    type: `${BASE}slack`,
    parameters: { operation: 'sendAndWait' },
    worst: 'manual',
  },
  { row: 'form page', type: `${BASE}form`, worst: 'manual' },
  { row: 'call of a workflow', type: `${BASE}executeWorkflow`, worst: 'blocking' },
  { row: 'loop without a cap', type: `${BASE}splitInBatches`, version: 3, worst: 'blocking' },
  {
    row: 'loop with a cap',
    type: `${BASE}splitInBatches`,
    version: 3,
    parameters: { options: { maxIterations: 5 } },
    worst: 'blocking',
  },
  {
    row: 'goes on after a failure',
    type: `${LANGCHAIN}chainLlm`,
    version: 1.4,
    more: { onError: 'continueRegularOutput' },
    worst: 'manual',
  },
  {
    row: 'tries again',
    type: `${LANGCHAIN}chainLlm`,
    version: 1.4,
    more: { retryOnFail: true, maxTries: 4 },
    worst: 'manual',
  },
  {
    row: 'prompt that embeds its input',
    type: `${LANGCHAIN}chainLlm`,
    version: 1.4,
    parameters: { text: '=Say {{ $json.text }}' },
    worst: 'manual',
  },
  {
    row: 'condition that is not translated',
    type: `${BASE}if`,
    version: 2,
    parameters: {
      conditions: {
        combinator: 'and',
        conditions: [
          {
            leftValue: '={{ $json.n }}',
            rightValue: 3,
            operator: { type: 'number', operation: 'gt' },
          },
        ],
      },
    },
    worst: 'blocking',
  },
  {
    row: 'element of another package',
    type: 'n8n-nodes-somebody.thing',
    worst: 'blocking',
  },
  { row: 'switched off', type: `${BASE}slack`, more: { disabled: true }, worst: 'info' },
];

const RANK = ['info', 'manual', 'blocking'];

function convert(row: Row): string[] {
  const parameters = row.parameters ?? {};
  const agent = {
    id: 'agent',
    name: 'Agent',
    type: `${LANGCHAIN}agent`,
    typeVersion: 1.6,
    parameters: {},
  };
  const node = {
    id: 'element',
    name: 'Element',
    type: row.type,
    typeVersion: row.version ?? 1,
    parameters,
    ...row.more,
  };
  const trigger = {
    id: 'trigger',
    name: 'Trigger',
    type: `${BASE}manualTrigger`,
    typeVersion: 1,
    parameters: {},
  };
  const link = (to: string, type = 'main'): object => ({
    [type]: [[{ node: to, type, index: 0 }]],
  });
  const connections =
    row.attached === undefined
      ? { Trigger: link('Agent'), Agent: link('Element') }
      : { Trigger: link('Agent'), Element: link('Agent', row.attached) };
  const raw = JSON.stringify({ nodes: [trigger, agent, node], connections });
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  const gaps = outcome.gaps.filter((gap) => gap.source_ref.source_id === 'element');
  return gaps.map((gap) => gap.severity);
}

describe('the severity of a loss is that of its class (importers 8, 14)', () => {
  it.each(ROWS.map((row) => [row.row, row] as const))('%s', (_name, row) => {
    const ranks = convert(row).map((severity) => RANK.indexOf(severity));
    expect(RANK[Math.max(-1, ...ranks)]).toBe(row.worst);
  });
});

const CIRCLE_TYPES = ['slack', 'if', 'if', 'switch', 'noOp', 'agentIf', 'splitInBatches', 'merge'];

interface CircleNode extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly type: string;
}

function circleNode(kind: string, name: string): CircleNode[] {
  const node = { id: name, name, type: BASE + kind, typeVersion: 1, parameters: {} };
  const condition = (leftValue: string): object => ({
    combinator: 'and',
    conditions: [
      { leftValue, rightValue: 'x', operator: { type: 'string', operation: 'contains' } },
    ],
  });
  switch (kind) {
    case 'if':
      return [{ ...node, typeVersion: 2, parameters: { conditions: condition('={{ $json.n }}') } }];
    case 'agentIf':
      return [
        { ...node, type: `${LANGCHAIN}agent`, typeVersion: 2 },
        {
          ...{ ...node, id: `${name}-if`, name: `${name}-if`, type: `${BASE}if`, typeVersion: 2 },
          parameters: { conditions: condition('={{ $json.output }}') },
        },
      ];
    case 'switch':
      return [
        {
          ...{ ...node, typeVersion: 3 },
          parameters: { mode: 'expression', numberOutputs: 3, output: '={{ $json.n }}' },
        },
      ];
    case 'splitInBatches':
      return [{ ...node, typeVersion: 3 }];
    default:
      return [node];
  }
}

/** Elements whose blocking gap says that somebody has to bound their circle. */
function bounded(gaps: readonly Gap[], names: readonly string[]): Set<string> {
  const out = new Set<string>();
  for (const { kind, severity, source_ref, detail } of gaps) {
    if (severity !== 'blocking') continue;
    const isRound = kind === 'unbounded_loop' || detail.includes('goes round through');
    if (isRound) for (const name of names) if (detail.includes(`"${name}"`)) out.add(name);
    if (detail.includes('ends the circle') || detail.includes('gives the next batch')) {
      out.add(source_ref.source_label);
    }
  }
  return out;
}

/** Every element that is reached from one element by at least one link. */
function onwards(links: ReadonlyMap<string, ReadonlySet<string>>, name: string): Set<string> {
  const seen = new Set(links.get(name));
  for (const at of seen) for (const next of links.get(at) ?? []) seen.add(next);
  return seen;
}

describe('a circle without a cap (importers 8, decision record 0009)', () => {
  const element = fc.record({
    kind: fc.constantFrom(...CIRCLE_TYPES),
    to: fc.array(fc.array(fc.nat({ max: 6 }), { maxLength: 2 }), { maxLength: 3 }),
  });

  it('is never free of a blocking gap on it', () => {
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 7 }), (elements) => {
        const nodes = elements.flatMap(({ kind }, i) => circleNode(kind, `N${i}`));
        const connections: Record<string, object> = {
          Start: { main: [[{ node: 'N0', type: 'main', index: 0 }]] },
        };
        const links = new Map<string, Set<string>>();
        for (const [i, { kind, to }] of elements.entries()) {
          const name = kind === 'agentIf' ? `N${i}-if` : `N${i}`;
          const most = /if|batches/i.test(kind) ? 2 : kind === 'switch' ? 3 : 1;
          const ports = to
            .slice(0, most)
            .map((port) => [...new Set(port)].filter((n) => n < elements.length));
          if (kind === 'agentIf') {
            connections[`N${i}`] = { main: [[{ node: name, type: 'main', index: 0 }]] };
            links.set(`N${i}`, new Set([name]));
          }
          const main = ports.map((port) =>
            port.map((n) => ({ node: `N${n}`, type: 'main', index: 0 })),
          );
          connections[name] = { main };
          links.set(name, new Set(ports.flat().map((n) => `N${n}`)));
        }
        const start = { id: 's', name: 'Start', type: `${BASE}manualTrigger`, typeVersion: 1 };
        const raw = JSON.stringify({
          nodes: [{ ...start, parameters: {} }, ...nodes],
          connections,
        });
        const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
        if (!outcome.ok) throw new Error(outcome.message);
        const told = bounded(outcome.gaps, [...links.keys()]);
        const reached = onwards(links.set('Start', new Set(['N0'])), 'Start');
        const rest = new Map(
          [...links]
            .filter(([name]) => reached.has(name) && !told.has(name))
            .map(([name, to]) => [name, new Set([...to].filter((n) => !told.has(n)))]),
        );
        const steps = nodes.filter(({ type }) => !/\.(?:if|switch|noOp)$/.test(type));
        const free = steps.filter(({ name }) => onwards(rest, name).has(name));
        expect(free.map(({ name }) => name)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
