import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';

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
  ...['noOp', 'respondToWebhook', 'executionData'].map((name) => ({
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
