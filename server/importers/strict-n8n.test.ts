import { describe, expect, it } from 'vitest';
import {
  type SampleNode as Made,
  n8nNode as node,
  n8nExport as raw,
} from '../../test/support/n8n-export.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Analysis, AnalyzeOutcome } from './analysis.ts';
import { analyze } from './analyze.ts';

function run(text: string): AnalyzeOutcome {
  return analyze({ source: 'n8n', raw: text, conversion: 'strict' });
}

function accepted(text: string): Analysis {
  const outcome = run(text);
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
  return outcome;
}

function convert(nodes: readonly Made[], wires = ''): Analysis {
  return accepted(raw(nodes, wires));
}

/** Gaps as `<gap id> <severity>`, in order. */
function gapsOf(nodes: readonly Made[], wires = ''): string[] {
  return convert(nodes, wires).gaps.map((gap) => `${gap.gap_id} ${gap.severity}`);
}

function gapsNaming(id: string, nodes: readonly Made[], wires = ''): string[] {
  return convert(nodes, wires)
    .gaps.filter((gap) => gap.source_ref.source_id === id)
    .map((gap) => `${gap.kind} ${gap.severity}`);
}

const TRIGGER = node('T', 'manualTrigger');
const CHAT = node('T', 'lc:chatTrigger');
const MODEL = node('M', 'lc:lmChatAnthropic', { model: 'claude' });
const MODELLED = 'M-ai_languageModel>A';

function agent(parameters: object = {}, more: object = {}): Made {
  return node('A', 'lc:agent', parameters, more);
}

/** An agent with a model behind a chat trigger: what is named is only what the test is about. */
function aroundAgent(parameters: object = {}, more: object = {}): string[] {
  return gapsNaming('a', [CHAT, agent(parameters, more), MODEL], `T>A ${MODELLED}`);
}

describe('4.1 loading and refusals', () => {
  const good = node('X', 'set');
  const cases: [string, string][] = [
    ['top level list', '[]'],
    ['no nodes', '{}'],
    ['nodes no list', '{"nodes":{}}'],
    ['connections a list', raw([good], '', { connections: [] })],
    ['NaN', '{"nodes":[],"x":NaN}'],
    ['-Infinity', '{"nodes":[],"x":-Infinity}'],
    ['overflow', '{"nodes":[],"x":1e400}'],
    ['an integer a double cannot hold', '{"nodes":[],"x":9007199254740993}'],
    ['byte order mark', `\uFEFF${raw([good])}`],
    ['comment', `// c\n${raw([good])}`],
    ['trailing comma', '{"nodes":[],}'],
    ['a node that is null', raw([null as never])],
    ...['id', 'name', 'type', 'typeVersion', 'parameters'].flatMap((key): [string, string][] => [
      [`${key} missing`, raw([{ ...good, [key]: undefined }])],
      [`${key} null`, raw([{ ...good, [key]: null }])],
      [`${key} of another type`, raw([{ ...good, [key]: true }])],
    ]),
    ...['id', 'name', 'type'].map((key): [string, string] => [
      `${key} empty`,
      raw([{ ...good, [key]: '' }]),
    ]),
    ...['typeVersion', 'maxTries', 'waitBetweenTries'].map((key): [string, string] => [
      `${key} text`,
      raw([{ ...good, [key]: '1' }]),
    ]),
    ...['disabled', 'continueOnFail', 'retryOnFail', 'alwaysOutputData', 'executeOnce'].map(
      (key): [string, string] => [`${key} a number`, raw([{ ...good, [key]: 1 }])],
    ),
    ['onError of another word', raw([{ ...good, onError: 'stop' }])],
    ['credentials a list', raw([{ ...good, credentials: [] }])],
    ['a credential that is text', raw([{ ...good, credentials: { x: 'y' } }])],
    ['a fault in a disabled node', raw([{ ...good, disabled: true, credentials: 1 }])],
    ['a fault in a note', raw([node('N', 'stickyNote', {}, { maxTries: true })])],
    ['two nodes of one name', raw([good, { ...good, id: 'y' }])],
    ['two nodes of one id', raw([good, { ...good, name: 'Y' }])],
    ['a key that names no node', raw([good], 'Y>X')],
    ['a target that names no node', raw([good], 'X>Y')],
    ['a target in another case', raw([good], 'X>x')],
    ...[
      ['buckets', { X: [] }],
      ['a bucket', { X: { main: {} } }],
      ['a port', { X: { main: [{}] } }],
      ['a link', { X: { main: [['X']] } }],
      ['a null link', { X: { main: [[null]] } }],
      ['a link without node', { X: { main: [[{ index: 0 }]] } }],
      ['a link with an empty node', { X: { main: [[{ node: '' }]] } }],
      ['a link with a node that is no text', { X: { ai_tool: [[{ node: 1 }]] } }],
    ].map(([what, connections]): [string, string] => [
      `malformed: ${String(what)}`,
      raw([good], '', { connections }),
    ]),
    ['links of a disabled node', raw([{ ...good, disabled: true }], 'X-ai_tool>Y')],
    ['a main link to a consumed model', raw([agent(), MODEL], `${MODELLED} A>M`)],
    ['an unknown top-level text', '"text"'],
  ];

  it.each(cases)('%s is refused', (_what, text) => {
    expect(run(text)).toMatchObject({ ok: false, status: 422, code: 'source_unparseable' });
  });

  it('null stands for absent, position and other top-level keys are not read', () => {
    const odd = {
      ...good,
      disabled: null,
      maxTries: null,
      onError: null,
      credentials: { a: null },
      position: 'here',
    };
    const text = raw([odd], '', { pinData: 1, settings: [], meta: 'x', active: 3, tags: {} });
    expect(accepted(text).summary.node_count).toBe(1);
    expect(accepted('{"nodes":[],"connections":null}').spec).toEqual({
      version: 'v1',
      agent: { name: 'imported-agent' },
    });
    for (const connections of [{ X: null }, { X: { main: null } }, { X: { main: [null] } }]) {
      expect(run(raw([good], '', { connections })).ok).toBe(true);
    }
    const read = { X: { main: [[{ node: 'X', type: 7, index: 'x' }]] } };
    expect(run(raw([good], '', { connections: read })).ok).toBe(true);
  });

  it('a repeated member keeps its first place and its last value', () => {
    const twice = `{"nodes":[],"nodes":[${JSON.stringify(good)}],"connections":{}}`;
    expect(accepted(twice).summary.node_count).toBe(1);
  });

  it('every refusal of the adapter comes before the bounds', () => {
    const many = Array.from({ length: 1001 }, (_, i) => node(`N${i}`, 'set'));
    expect(run(raw(many))).toMatchObject({ status: 413, code: 'source_too_complex' });
    const broken = node('S', 'switch', { mode: 'other' }, { typeVersion: 3 });
    expect(run(raw([...many, broken]))).toMatchObject({ code: 'source_unparseable' });
    const notes = Array.from({ length: 1001 }, (_, i) => node(`N${i}`, 'stickyNote'));
    expect(run(raw(notes)).ok).toBe(true);
  });
});

describe('4.2 one role per node', () => {
  it.each([
    ['webhook', 'manual'],
    ['scheduleTrigger', 'manual'],
    ['cron', 'manual'],
    ['manualTrigger', 'info'],
    ['start', 'info'],
    ['executeWorkflowTrigger', 'manual'],
    ['errorTrigger', 'manual'],
    ['lc:chatTrigger', 'manual'],
  ])('%s is an entry', (type, severity) => {
    expect(gapsOf([node('X', type)])).toEqual([`entry_mechanism_not_carried:x ${severity}`]);
  });

  it.each([
    ['httpRequest', 'proprietary_node'],
    ['code', 'proprietary_node'],
    ['function', 'proprietary_node'],
    ['if', 'expression'],
    ['switch', 'expression'],
    ['splitInBatches', 'branching_shape'],
    ['executeWorkflow', 'subworkflow'],
    ['lc:toolHttpRequest', 'deterministic_tool'],
    ['lc:toolCode', 'deterministic_tool'],
    ['set', 'proprietary_node'],
    ['gmailTrigger', 'proprietary_node'],
    ['lc:manualChatTrigger', 'proprietary_node'],
    ['lc:chainLlm', 'proprietary_node'],
    ['lc:lmChatOpenAi', 'proprietary_node'],
    ['n8n-nodes-x.thing', 'proprietary_node'],
  ])('%s draws %s', (type, kind) => {
    expect(gapsOf([TRIGGER, node('X', type)])).toContain(`${kind}:x blocking`);
  });

  it('a note is a note even if disabled, and is no declared element', () => {
    const note = node('N', 'stickyNote', {}, { disabled: true });
    expect(gapsOf([note])).toEqual(['annotation:n info']);
    expect(gapsOf([note, agent({ promptType: 'define', text: 'x' })])).not.toContain(
      'no_entry:a blocking',
    );
  });

  it('a disabled node is one loss; it stands in the flow only when a main wire names it', () => {
    const off = node('D', 'httpRequest', { apiKey: 'abcdefghijklmnop' }, { disabled: true });
    const alone = convert([off]);
    expect(alone.gaps.map((gap) => gap.gap_id)).toEqual(['deactivated_node:d']);
    expect(alone.summary).toMatchObject({ node_count: 0, credential_count: 0 });
    const wired = convert([TRIGGER, off, agent(), MODEL], `T>D D>A ${MODELLED}`);
    expect(wired.summary).toMatchObject({ node_count: 2, edge_count: 2 });
    expect(wired.gaps.map((gap) => gap.kind)).not.toContain('unreachable_from_entry');
  });

  it('a disabled node passes flow from its first output only', () => {
    const off = node('D', 'if', {}, { disabled: true });
    const kinds = convert([CHAT, off, agent(), MODEL], `T>D D:1>A ${MODELLED}`);
    expect(kinds.summary.edge_count).toBe(1);
    expect(kinds.gaps.map((gap) => gap.gap_id)).toContain('unreachable_from_entry:a');
  });

  it('attachments of a disabled node are ignored', () => {
    const off = node('P', 'lc:memoryBufferWindow', {}, { disabled: true });
    expect(gapsNaming('p', [agent(), off], 'P-ai_memory>A')).toEqual(['deactivated_node info']);
    const model = { ...MODEL, disabled: true };
    expect(gapsNaming('a', [agent(), model], MODELLED)).toContain('source_cannot_run blocking');
  });

  it('waypoints: notes, tools and attachments on a main wire let flow pass', () => {
    const tool = node('X', 'lc:toolCode');
    const outcome = convert([CHAT, tool, agent(), MODEL], `T>X X>A ${MODELLED}`);
    expect(outcome.summary).toMatchObject({ node_count: 1, tool_count: 1, edge_count: 2 });
    expect(outcome.gaps.map((gap) => gap.kind)).not.toContain('unreachable_from_entry');
  });

  it('the error output of a waypoint is an error route like any other', () => {
    const tool = node('X', 'lc:toolCode', {}, { onError: 'continueErrorOutput' });
    expect(gapsNaming('x', [TRIGGER, tool, agent()], 'T>X X:1>A')).toEqual([
      'error_route_not_carried blocking',
      'deterministic_tool blocking',
    ]);
  });
});

describe('4.3 versions', () => {
  it.each([
    ['httpRequest', 4.2, 4.3],
    ['code', 2, 3],
    ['if', 2.2, 2.3],
    ['splitInBatches', 3, 4],
    ['executeWorkflow', 1.1, 1.2],
    ['webhook', 2, 2.1],
    ['scheduleTrigger', 1.2, 1.3],
    ['lc:agent', 1.6, 1.7],
    ['lc:toolCode', 1.1, 1.2],
  ])('%s is known at %d and unknown at %d', (type, known, unknown) => {
    const count = (typeVersion: number): number =>
      gapsNaming('x', [node('X', type, {}, { typeVersion })]).filter((g) =>
        g.startsWith('proprietary_node'),
      ).length;
    expect(count(unknown)).toBe(count(known) + 1);
  });

  it('a type without a row has no check', () => {
    for (const type of ['cron', 'start', 'errorTrigger']) {
      expect(gapsNaming('x', [node('X', type, {}, { typeVersion: 9 })])).toHaveLength(1);
    }
  });
});

describe('4.4 attachments', () => {
  it.each([
    ['ai_outputParser', 'expression'],
    ['ai_memory', 'memory'],
    ['ai_chain', 'branching_shape'],
    ['ai_agent', 'branching_shape'],
    ['ai_retriever', 'external_service'],
    ['ai_reranker', 'external_service'],
    ['ai_vectorStore', 'external_service'],
    ['ai_embedding', 'external_service'],
    ['ai_document', 'external_service'],
    ['ai_textSplitter', 'external_service'],
  ])('%s is one %s loss and no node', (type, kind) => {
    const outcome = convert(
      [CHAT, agent(), MODEL, node('X', 'lc:some')],
      `${MODELLED} X-${type}>A`,
    );
    const named = outcome.gaps.filter((gap) => gap.source_ref.source_id === 'x');
    expect(named.map((gap) => gap.kind)).toEqual([kind]);
    expect(outcome.summary.node_count).toBe(1);
  });

  it('any other type is a loss beside the one of the element', () => {
    expect(gapsNaming('x', [agent(), node('X', 'lc:some')], 'X-ai_other>A')).toEqual([
      'proprietary_node blocking',
      'proprietary_node blocking',
    ]);
  });

  it('one loss for each pair of attached element and target', () => {
    const nodes = [agent(), node('B', 'lc:agent'), node('X', 'lc:memory')];
    const wires = 'X-ai_memory>A X-ai_memory>A X-ai_memory>B';
    expect(gapsNaming('x', nodes, wires)).toEqual(['memory blocking', 'memory blocking']);
    const both = 'X-ai_document>A X-ai_textSplitter>A';
    expect(gapsNaming('x', nodes, both)).toEqual(['external_service blocking']);
  });
});

describe('4.5 models', () => {
  const providers: [string, object, JsonObject][] = [
    ['lmChatAnthropic', { model: 'm' }, { provider: 'anthropic', name: 'm' }],
    ['lmChatAwsBedrock', { model: 'm' }, { provider: 'aws-bedrock', name: 'm' }],
    ['lmChatAzureOpenAi', { model: 'm' }, { provider: 'azure-openai', name: 'm' }],
    ['lmChatGoogleGemini', { modelName: 'm' }, { provider: 'google', name: 'm' }],
    ['lmChatGoogleVertex', { modelName: 'm' }, { provider: 'google-vertex', name: 'm' }],
    ['lmChatGroq', { model: 'm' }, { provider: 'groq', name: 'm' }],
    ['lmChatMistralCloud', { model: 'm' }, { provider: 'mistral', name: 'm' }],
    ['lmChatOllama', { model: 'm' }, { provider: 'ollama', name: 'm' }],
    ['lmOllama', { model: 'm' }, { provider: 'ollama', name: 'm' }],
    ['lmChatOpenAi', { model: ' m ' }, { provider: 'openai', name: 'm' }],
    ['lmOpenAi', { model: { __rl: true, value: 'm' } }, { provider: 'openai', name: 'm' }],
    ['lmCohere', { options: { model: 'm' } }, { provider: 'cohere', name: 'm' }],
    ['lmOpenHuggingFaceInference', { model: 'm' }, { provider: 'huggingface', name: 'm' }],
  ];

  it.each(providers)('%s', (type, parameters, model) => {
    const outcome = convert([CHAT, agent(), node('M', `lc:${type}`, parameters)], MODELLED);
    expect(outcome.spec['agent']).toMatchObject({ model });
    expect(outcome.gaps.map((gap) => gap.kind)).not.toContain('model_unresolved');
  });

  const identifiers: [string, object, string | null][] = [
    ['missing', {}, 'model_unresolved'],
    ['null', { model: null }, 'model_unresolved'],
    ['blank', { model: '  ' }, 'model_unresolved'],
    ['an empty locator', { model: { __rl: true, value: '' } }, 'model_unresolved'],
    ['an expression', { model: '={{ $json.m }}' }, 'model_unresolved'],
    [
      'an expression in a locator',
      { model: { __rl: true, value: '={{ 1 }}' } },
      'model_unresolved',
    ],
    ['a number', { model: 3 }, 'proprietary_node'],
    ['an object', { model: { value: 'm' } }, 'proprietary_node'],
    ['literal in expression mode', { model: '=m' }, null],
  ];

  it.each(identifiers)('an identifier that is %s', (_what, parameters, kind) => {
    const nodes = [CHAT, agent(), node('M', 'lc:lmChatGroq', parameters)];
    const outcome = convert(nodes, `T>A ${MODELLED}`);
    const named = outcome.gaps.filter((gap) => gap.source_ref.source_id === 'a');
    expect(named.map((gap) => gap.kind).filter((k) => k !== 'parameters_not_carried')).toEqual(
      kind === null ? [] : [kind],
    );
    const root = outcome.spec['agent'];
    expect(root).toEqual(
      kind === null
        ? expect.objectContaining({ model: { provider: 'groq', name: 'm' } })
        : expect.not.objectContaining({ model: expect.anything() }),
    );
  });

  it("the agent's own model comes first and has no provider", () => {
    expect(aroundAgent({ model: 'gpt' })).toContain('proprietary_node blocking');
    expect(aroundAgent({ model: '={{ $json.x }}' })).toContain('model_unresolved manual');
    expect(aroundAgent({ model: '' })).not.toContain('proprietary_node blocking');
  });

  it('two models on one agent: each is ambiguous, none is folded anywhere', () => {
    const nodes = [
      agent(),
      node('B', 'lc:agent'),
      MODEL,
      node('N', 'lc:lmChatGroq', { model: 'g' }),
    ];
    const wires = `${MODELLED} N-ai_languageModel>A M-ai_languageModel>B`;
    const outcome = convert(nodes, wires);
    expect(outcome.gaps.filter((g) => g.kind === 'ambiguous_binding').map((g) => g.gap_id)).toEqual(
      ['ambiguous_binding:m', 'ambiguous_binding:n'],
    );
    expect(JSON.stringify(outcome.spec)).not.toContain('claude');
  });

  it('an element of no known model type is not folded', () => {
    const nodes = [agent(), node('M', 'lc:lmChatOpenRouter', { model: 'x' })];
    expect(gapsNaming('m', nodes, MODELLED)).toEqual(['proprietary_node blocking']);
  });

  it('a folded model is lost with a parent that is lost', () => {
    const chain = node('A', 'lc:chainLlm');
    expect(gapsNaming('m', [chain, MODEL], MODELLED)).toEqual(['proprietary_node blocking']);
    const newer = agent({}, { typeVersion: 1.7 });
    expect(gapsNaming('m', [newer, MODEL], MODELLED)).toEqual(['proprietary_node blocking']);
    const off = agent({}, { disabled: true });
    expect(gapsNaming('m', [off, MODEL], MODELLED)).toEqual(['proprietary_node blocking']);
    const old = node('M', 'lc:lmChatGroq', { model: 'x' }, { typeVersion: 2 });
    expect(gapsNaming('m', [newer, old], MODELLED)).toEqual(['proprietary_node blocking']);
    expect(gapsNaming('m', [agent(), MODEL], MODELLED)).toEqual([]);
  });

  it('the identifier of a cohere model is no setting', () => {
    const settings = (options: object): string[] =>
      gapsNaming('a', [agent(), node('M', 'lc:lmCohere', { options })], MODELLED);
    expect(settings({ model: 'c' })).not.toContain('parameters_not_carried manual');
    expect(settings({ model: 'c', topK: 1 })).toContain('parameters_not_carried manual');
  });
});

describe('4.6 outputs and edges', () => {
  it.each<[string, string, string | undefined]>([
    ['plain text', 'x', 'x'],
    ['one = is removed', '=x', 'x'],
    ['only one', '==x', '=x'],
    ['no braces, no expression', '=$vars.a', '$vars.a'],
    ['braces', '={{ 1 }}', undefined],
    ['braces without =', 'a {{ 1 }}', undefined],
    ['closing braces without =', 'a }} b', undefined],
    ['=$json in a text', 'a =$json b', undefined],
    ['$json[ in a text', 'a $json["x"]', undefined],
  ])('expression rule: %s', (_what, text, prompt) => {
    const outcome = convert([CHAT, agent({ options: { systemMessage: text } }), MODEL], MODELLED);
    expect(outcome.spec['agent']).toEqual({
      name: 'a',
      model: { provider: 'anthropic', name: 'claude' },
      ...(prompt === undefined ? {} : { system_prompt: prompt }),
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'expression')).toBe(prompt === undefined);
  });

  /** Which of the first five ports of a node lead to a step: the others are dropped. */
  function carriedPorts(type: string, typeVersion: number, parameters: object): number {
    const targets = Array.from({ length: 5 }, (_, i) => node(`P${i}`, 'lc:agent'));
    const wires = targets.map((_, i) => `X:${i}>P${i}`).join(' ');
    const x = node('X', type, parameters, { typeVersion });
    return convert([x, ...targets], wires).summary.edge_count;
  }

  it.each<[string, number, object, number]>([
    ['if', 1, {}, 2],
    ['if', 2, {}, 2],
    ['splitInBatches', 1, {}, 1],
    ['splitInBatches', 2, {}, 2],
    ['splitInBatches', 3, {}, 2],
    ['switch', 1, { mode: '={{ 1 }}' }, 4],
    ['switch', 2, {}, 0],
    ['switch', 2, { rules: { rules: [{}, {}] }, options: { fallbackOutput: 'extra' } }, 2],
    ['switch', 2, { mode: 'expression', outputsAmount: 3 }, 3],
    ['switch', 3, { rules: { values: [{}, {}] } }, 2],
    ['switch', 3, { rules: { values: [{}, {}] }, options: { fallbackOutput: 'extra' } }, 3],
    ['switch', 3, { rules: { values: [{}] }, options: { fallbackOutput: '=extra' } }, 2],
    ['switch', 3.2, { rules: { values: [{}] }, options: { fallbackOutput: 0 } }, 1],
    ['switch', 3, { rules: { values: [{}] }, options: { fallbackOutput: true } }, 1],
    ['switch', 3, { mode: '=expression', numberOutputs: 2 }, 2],
    ['switch', 3, { mode: null, rules: null, options: null }, 0],
    ['httpRequest', 4, {}, 1],
    ['code', 2, {}, 1],
    ['set', 3, {}, 5],
    ['executeWorkflow', 1, {}, 5],
  ])('%s v%d %j has its outputs', (type, version, parameters, count) => {
    expect(carriedPorts(type, version, parameters)).toBe(count);
  });

  it.each<[string, number, object]>([
    ['a computed mode', 3, { mode: '={{ 1 }}' }],
    ['a computed fallback', 3, { options: { fallbackOutput: '={{ 1 }}' } }],
    ['another mode', 2, { mode: 'random' }],
    ['a count of zero', 3, { mode: 'expression', numberOutputs: 0 }],
    ['a broken count', 3, { mode: 'expression', numberOutputs: 1.5 }],
    ['a count as text', 2, { mode: 'expression', outputsAmount: '3' }],
    ['too many outputs', 3, { mode: 'expression', numberOutputs: 1025 }],
    ['too many rules', 3, { rules: { values: Array.from({ length: 1025 }, () => ({})) } }],
    ['rules a list', 3, { rules: [] }],
    ['rule list an object', 2, { rules: { rules: {} } }],
    ['a rule that is text', 3, { rules: { values: ['x'] } }],
    ['options a list', 3, { options: [] }],
  ])('a switch with %s is refused', (_what, typeVersion, parameters) => {
    const outcome = run(raw([node('S', 'switch', parameters, { typeVersion })]));
    expect(outcome).toMatchObject({ status: 422, code: 'source_unparseable' });
  });

  it('a switch that is off is not read', () => {
    const off = node('S', 'switch', { mode: 'x' }, { typeVersion: 3, disabled: true });
    expect(run(raw([off])).ok).toBe(true);
  });

  it('links beyond the outputs are one info gap of the source', () => {
    const nodes = [agent(), node('B', 'lc:agent'), node('C', 'lc:agent'), MODEL];
    const outcome = convert(nodes, `A:1>B A:2>C ${MODELLED}`);
    const first = outcome.gaps.find((gap) => gap.source_ref.source_id === 'a');
    expect(first).toMatchObject({ kind: 'parameters_not_carried', severity: 'info' });
    expect(outcome.summary.edge_count).toBe(0);
  });

  it('an error output stands behind the regular ones when it is written', () => {
    const failing = node('X', 'if', {}, { onError: 'continueErrorOutput' });
    const nodes = [TRIGGER, failing, agent()];
    expect(gapsNaming('x', nodes, 'T>X X:2>A')).toContain('error_route_not_carried blocking');
    expect(gapsNaming('x', nodes, 'T>X X:1>A')).toEqual([
      'execution_setting blocking',
      'expression blocking',
    ]);
  });

  it('labels: the port when several groups are written, error on the error output', () => {
    const a = agent({}, { onError: 'continueErrorOutput' });
    const nodes = [CHAT, a, node('B', 'lc:agent'), node('C', 'lc:agent')];
    const { spec } = convert(nodes, 'T>A A>B A:1>C');
    expect(spec['workflow']).toMatchObject({
      edges: [
        { from: 'a', to: 'b', condition: { type: 'always' }, label: '0' },
        { from: 'a', to: 'c', condition: { type: 'always' }, label: 'error' },
      ],
    });
    const plain = convert([CHAT, agent(), node('B', 'lc:agent'), node('C', 'lc:agent')], 'A>B A>C');
    expect(plain.spec['workflow']).toMatchObject({
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
      ],
    });
  });

  it('edges stand in the order of the connection keys', () => {
    const nodes = ['3', '1', '2', 'x'].map((name) => node(name, 'lc:agent'));
    const text = `{"nodes":${JSON.stringify(nodes)},"connections":{"x":{"main":[[{"node":"2"},{"node":"1"}]]},"2":{"main":[[{"node":"3"}]]},"1":{"main":[[{"node":"3"}]]}}}`;
    const { spec } = accepted(text);
    expect(spec['workflow']).toMatchObject({
      edges: [
        { from: '1', to: '3' },
        { from: '2', to: '3' },
        { from: 'x', to: '2' },
        { from: 'x', to: '1' },
      ],
    });
  });
});

describe('4.7 agents', () => {
  const EXECUTION = 'agent_execution_mode_not_carried blocking';
  it.each<[string, object, number, boolean]>([
    ['tools agent', { agent: 'toolsAgent' }, 1.6, true],
    ['functions agent', { agent: 'openAiFunctionsAgent' }, 1.6, true],
    ['in expression mode', { agent: '=toolsAgent' }, 1.6, true],
    ['absent, newer', {}, 1.6, true],
    ['null, newer', { agent: null }, 1.6, true],
    ['absent, older', {}, 1.5, false],
    ['conversational', { agent: 'conversationalAgent' }, 1.6, false],
    ['computed', { agent: '={{ 1 }}' }, 1.6, false],
    ['a number', { agent: 7 }, 1.6, false],
    ['an empty text', { agent: '' }, 1.6, false],
  ])('executor %s', (_what, parameters, typeVersion, read) => {
    expect(aroundAgent(parameters, { typeVersion }).includes(EXECUTION)).toBe(!read);
  });

  it.each<[string, object, string | undefined]>([
    ['absent for the tools agent', {}, 'You are a helpful assistant'],
    [
      'null for the tools agent',
      { options: { systemMessage: null } },
      'You are a helpful assistant',
    ],
    ['blank', { options: { systemMessage: '  ' } }, undefined],
    ['absent for another executor', { agent: 'reActAgent' }, undefined],
    ['written', { options: { systemMessage: ' Do it. ' } }, ' Do it. '],
  ])('system prompt %s', (_what, parameters, prompt) => {
    const { spec } = convert([CHAT, agent(parameters), MODEL], MODELLED);
    expect((spec['agent'] as JsonObject)['system_prompt']).toBe(prompt);
  });

  it.each<[string, object, string[]]>([
    ['blank: nothing', { options: { systemMessage: ' ' } }, []],
    ['a number: blocking', { options: { systemMessage: 7 } }, ['parameters_not_carried blocking']],
    [
      'unknown default of the functions agent: manual',
      { agent: 'openAiFunctionsAgent' },
      ['parameters_not_carried manual'],
    ],
    ['unknown default of another executor: nothing', { agent: 'reActAgent' }, [EXECUTION]],
  ])('prompt gap, %s', (_what, parameters, expected) => {
    const gaps = aroundAgent(parameters).filter((gap) => gap !== 'parameters_not_carried info');
    expect(gaps.filter((gap) => !gap.startsWith('source_cannot_run'))).toEqual(expected);
  });

  it.each<[string, object, number, string[]]>([
    ['auto, 1.6: never read', { text: 'x' }, 1.6, ['parameters_not_carried info']],
    [
      'auto as an expression',
      { text: 'x', promptType: '=auto' },
      1.6,
      ['parameters_not_carried info'],
    ],
    ['define', { text: 'x', promptType: 'define' }, 1.6, ['run_input manual']],
    [
      'define, an expression',
      { text: '={{ $json.q }}', promptType: 'define' },
      1.6,
      ['run_input manual'],
    ],
    ['define, blank', { text: ' ', promptType: 'define' }, 1.6, []],
    ['version 1.2', { text: 'x' }, 1.2, ['run_input manual']],
    ['sql agent', { text: 'x', agent: 'sqlAgent' }, 1.6, ['run_input manual']],
  ])('run input: %s', (_what, parameters, typeVersion, expected) => {
    const without = aroundAgent({ ...parameters, text: '' }, { typeVersion });
    const gaps = aroundAgent(parameters, { typeVersion });
    for (const gap of without) gaps.splice(gaps.indexOf(gap), 1);
    expect(gaps).toEqual(expected);
  });

  it('a system message outside the options is never read', () => {
    expect(aroundAgent({ systemMessage: 'x' })).toEqual([
      'parameters_not_carried info',
      'parameters_not_carried info',
    ]);
    expect(aroundAgent({ systemMessage: ' ' })).toEqual(['parameters_not_carried info']);
  });

  it.each<[string, object, string[]]>([
    ['absent', {}, ['parameters_not_carried info']],
    ['null', { options: { maxIterations: null } }, ['parameters_not_carried info']],
    ['written', { options: { maxIterations: 5 } }, ['parameters_not_carried manual']],
    ['computed', { options: { maxIterations: '={{ 5 }}' } }, ['parameters_not_carried manual']],
    ['another executor, absent', { agent: 'sqlAgent' }, [EXECUTION]],
    [
      'another executor, null',
      { agent: 'sqlAgent', options: { maxIterations: null } },
      [EXECUTION, 'parameters_not_carried manual'],
    ],
    [
      'another executor, written',
      { agent: 'sqlAgent', options: { maxIterations: 3 } },
      [EXECUTION, 'parameters_not_carried manual'],
    ],
  ])('iteration bound %s', (_what, parameters, expected) => {
    expect(aroundAgent(parameters)).toEqual(expected);
  });

  it.each<[string, object, boolean]>([
    ['returnIntermediateSteps null', { options: { returnIntermediateSteps: null } }, false],
    ['returnIntermediateSteps set', { options: { returnIntermediateSteps: true } }, true],
    ['another option', { options: { passthroughBinaryImages: false } }, true],
    ['instructions of the executor', { agent: 'reActAgent', options: { suffix: 'x' } }, false],
    ['instructions of another executor', { agent: 'sqlAgent', options: { suffix: 'x' } }, true],
    ['the data source', { agent: 'sqlAgent', dataSource: 'mysql' }, false],
  ])('settings: %s', (_what, parameters, listed) => {
    expect(aroundAgent(parameters).includes('parameters_not_carried manual')).toBe(listed);
  });
});

describe('4.8 run-time settings', () => {
  it.each<[string, object, boolean]>([
    ['continueRegularOutput', { onError: 'continueRegularOutput' }, true],
    ['stopWorkflow', { onError: 'stopWorkflow' }, false],
    ['continueErrorOutput, unwired', { onError: 'continueErrorOutput' }, true],
    ['continueOnFail', { continueOnFail: true }, true],
    ['retryOnFail', { retryOnFail: true, maxTries: 0 }, true],
    ['tries without retry', { maxTries: 4 }, false],
    ['alwaysOutputData', { alwaysOutputData: true }, true],
    ['executeOnce', { executeOnce: true }, true],
    [
      'all at once are one gap',
      { continueOnFail: true, retryOnFail: true, executeOnce: true },
      true,
    ],
    ['false', { continueOnFail: false, retryOnFail: false }, false],
  ])('%s', (_what, more, lost) => {
    const gaps = gapsNaming('x', [node('X', 'httpRequest', {}, more)]);
    expect(gaps.filter((gap) => gap === 'execution_setting blocking')).toHaveLength(lost ? 1 : 0);
  });

  it('only for enabled nodes that are known', () => {
    const more = { retryOnFail: true };
    for (const x of [
      node('X', 'set', {}, more),
      node('X', 'webhook', {}, more),
      node('X', 'lc:toolCode', {}, more),
      node('X', 'code', {}, { ...more, disabled: true }),
    ]) {
      expect(gapsNaming('x', [x])).not.toContain('execution_setting blocking');
    }
  });
});

describe('4.9 rules of the runtime of the source', () => {
  const FAILS = 'source_cannot_run blocking';
  function fails(type: string | null, parameters: object, wires = '', more: readonly Made[] = []) {
    const model = type === null ? [] : [node('M', `lc:${type}`, { model: 'x' })];
    const link = type === null ? '' : MODELLED;
    const defined = { promptType: 'define', text: 'x', ...parameters };
    return gapsNaming('a', [agent(defined), ...model, ...more], `${link} ${wires}`).includes(FAILS);
  }

  it.each<[string, string | null, object, boolean]>([
    ['no model', null, {}, true],
    ['no model, another executor', null, { agent: 'sqlAgent' }, true],
    ['a text model', 'lmOllama', {}, true],
    ['a text model, another executor', 'lmOllama', { agent: 'reActAgent' }, false],
    ['an OpenAI model without tools', 'lmChatOpenAi', {}, true],
    ['an Azure model without tools', 'lmChatAzureOpenAi', {}, true],
    ['another chat model without tools', 'lmChatGroq', {}, false],
    ['functions agent with another model', 'lmChatGroq', { agent: 'openAiFunctionsAgent' }, true],
    ['functions agent with its model', 'lmChatOpenAi', { agent: 'openAiFunctionsAgent' }, false],
    ['functions agent, unknown type', 'lmChatXAi', { agent: 'openAiFunctionsAgent' }, false],
  ])('%s', (_what, type, parameters, expected) => {
    expect(fails(type, parameters)).toBe(expected);
  });

  it('a tool or an output parser is enough for an OpenAI model', () => {
    const x = node('X', 'lc:toolCode');
    expect(fails('lmChatOpenAi', {}, 'X-ai_tool>A', [x])).toBe(false);
    expect(fails('lmChatOpenAi', {}, 'X-ai_outputParser>A', [x])).toBe(false);
    expect(fails('lmChatOpenAi', {}, 'X-ai_memory>A', [x])).toBe(true);
    const off = { ...x, disabled: true };
    expect(fails('lmChatOpenAi', {}, 'X-ai_tool>A', [off])).toBe(true);
  });

  it.each<[string, string, object, boolean]>([
    ['webhook', 'webhook', {}, true],
    ['schedule', 'scheduleTrigger', {}, true],
    ['cron', 'cron', {}, true],
    ['manual', 'manualTrigger', {}, true],
    ['error', 'errorTrigger', {}, true],
    ['legacy start', 'start', {}, true],
    ['chat', 'lc:chatTrigger', {}, false],
    ['called', 'executeWorkflowTrigger', {}, false],
    ['an agent that is read', 'lc:agent', {}, true],
    ['an agent of another kind', 'lc:agent', { parameters: { agent: 'sqlAgent' } }, false],
    ['a disabled one', 'webhook', { disabled: true }, false],
    ['a set', 'set', {}, false],
  ])('chat input after %s', (_what, type, more, expected) => {
    const before = node('P', type, {}, more);
    const gaps = gapsNaming('a', [before, agent(), MODEL], `P>A ${MODELLED}`);
    expect(gaps.includes(FAILS)).toBe(expected);
  });

  it('version 1.2 reads its own text', () => {
    const a = agent({}, { typeVersion: 1.2 });
    expect(gapsNaming('a', [node('P', 'webhook'), a, MODEL], `P>A ${MODELLED}`)).not.toContain(
      FAILS,
    );
  });

  it.each<[string, unknown, string, boolean]>([
    ['true', true, 'S>A S:1>B', true],
    ['computed', '={{ $json.x }}', 'S>A S:1>B', true],
    ['false', false, 'S>A S:1>B', false],
    ['one wired case', true, 'S>A', false],
    ['the fallback is no case', true, 'S>A S:2>B', false],
  ])('all matching outputs: %s', (_what, allMatchingOutputs, wires, expected) => {
    const options = { allMatchingOutputs, fallbackOutput: 'extra' };
    const parameters = { rules: { values: [{}, {}] }, options };
    const nodes = [
      node('S', 'switch', parameters, { typeVersion: 3 }),
      agent(),
      node('B', 'lc:agent'),
    ];
    expect(gapsNaming('s', nodes, wires).includes('branching_shape blocking')).toBe(expected);
  });
});

describe('4.10 credentials and secrets', () => {
  it('each reference of an enabled node counts, by its name, else its type', () => {
    const credentials = { api: { id: '1', name: 'Zed' }, other: { id: '2' }, third: { name: '' } };
    const outcome = convert([
      node('X', 'set', {}, { credentials }),
      node('Y', 'set', {}, { credentials: { api: { name: 'Zed' } } }),
      node('D', 'set', {}, { credentials, disabled: true }),
      node('N', 'stickyNote', {}, { credentials }),
    ]);
    expect(outcome.summary.credential_count).toBe(4);
    expect(outcome.suggestions).toHaveLength(1);
    expect(outcome.suggestions[0]?.detail).toContain('Zed, other, third');
  });

  const SECRET = 'abcDEF123456!';
  it.each<[string, object, number]>([
    ['a text under a secret name', { apiKey: SECRET }, 1],
    ['in a list', { list: [{ password: SECRET }] }, 1],
    ['name and value', { h: [{ name: 'Authorization', value: SECRET }] }, 1],
    ['key and value', { h: [{ key: 'X-API-Key', value: SECRET }] }, 1],
    ['two in one node', { apiKey: SECRET, token: 'otherLiteral99' }, 2],
    ['an expression', { apiKey: '={{ $json.k }}' }, 0],
    ['starting with =', { apiKey: `=${SECRET}` }, 0],
    ['blank', { apiKey: '  ' }, 0],
    ['a number', { apiKey: 1234567890123 }, 0],
    ['a list of texts', { apiKey: [SECRET] }, 0],
    ['another name', { sessionKey: SECRET, tokens: SECRET, maxTokens: SECRET }, 0],
  ])('%s', (_what, parameters, count) => {
    const gaps = gapsNaming('x', [node('X', 'httpRequest', parameters)]);
    expect(gaps.filter((gap) => gap === 'inline_secret blocking')).toHaveLength(count);
  });

  it('models, triggers, tools and attachments are scanned; disabled nodes and notes are not', () => {
    const parameters = { apiKey: SECRET };
    const scanned = [
      node('T', 'webhook', parameters),
      node('X', 'lc:toolCode', parameters),
      node('P', 'lc:memory', parameters),
      { ...MODEL, parameters: { model: 'claude', ...parameters } },
      agent(),
      node('D', 'set', parameters, { disabled: true }),
      node('N', 'stickyNote', parameters),
    ];
    const outcome = convert(scanned, `${MODELLED} P-ai_memory>A`);
    const ids = outcome.gaps.filter((g) => g.kind === 'inline_secret').map((g) => g.gap_id);
    expect(ids).toEqual([
      'inline_secret:t',
      'inline_secret:x',
      'inline_secret:p',
      'inline_secret:m',
    ]);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
  });

  it('more than 128 distinct literals are too many', () => {
    const many = (count: number): string =>
      raw([
        node('X', 'set', {
          list: Array.from({ length: count }, (_, i) => ({ apiKey: `literal-${i}-abcdef` })),
        }),
      ]);
    expect(run(many(128)).ok).toBe(true);
    expect(run(many(129))).toMatchObject({ status: 413, code: 'source_too_complex' });
  });
});

describe('4.11 entries', () => {
  it.each<[string, readonly Made[], string, string[]]>([
    ['one node alone is its own start', [agent()], '', []],
    ['a model beside it', [agent(), MODEL], MODELLED, ['no_entry:a blocking']],
    [
      'a disabled node beside it',
      [agent(), node('D', 'set', {}, { disabled: true })],
      '',
      ['no_entry:a blocking'],
    ],
    ['an unknown type beside it', [agent(), node('U', 'gmailTrigger')], '', ['no_entry:a manual']],
    ['a trigger', [CHAT, agent()], 'T>A', []],
  ])('%s', (_what, nodes, wires, expected) => {
    expect(gapsOf(nodes, wires).filter((gap) => gap.startsWith('no_entry'))).toEqual(expected);
  });
});

describe('6 lowering', () => {
  const B = node('B', 'lc:agent');
  const C = node('C', 'lc:agent');

  it('6.2 names: slugs, fallbacks and doubles', () => {
    const names = ['Häuser & Co', '日本', '  Über  ', 'A B', 'a-b', '__x__', '😀', 'STEP_1', 'İ'];
    const nodes = names.map((name, i) => node(name, 'lc:agent', {}, { id: `i${i}` }));
    const { spec } = convert(nodes);
    const components = spec['components'] as JsonObject;
    const expected = ['h_user_co', 'agent_1', 'ber', 'a_b', 'a_b_2', 'x', 'agent_6', 'step_1', 'i'];
    expect(Object.keys(components['agents'] as JsonObject)).toEqual(expected);
    const workflow = spec['workflow'] as JsonObject;
    expect(Object.keys(workflow['nodes'] as JsonObject)).toEqual([
      'h_user_co',
      'step_1',
      'ber',
      'a_b',
      'a_b_2',
      'x',
      'step_6',
      'step_1_2',
      'i',
    ]);
    expect(spec['agent']).toEqual({ name: 'imported-agent' });
  });

  it('6.3 tools and bindings', () => {
    const X = node('X', 'lc:toolCode');
    const bound = (wires: string, more: readonly Made[] = []): string[] =>
      gapsNaming('x', [agent(), B, X, ...more], wires);
    expect(bound('')).toEqual(['deterministic_tool blocking']);
    expect(bound('X-ai_tool>A')).toEqual(['tool_without_backing blocking']);
    expect(bound('X-ai_tool>A X-ai_tool>B')).toEqual([
      'tool_without_backing blocking',
      'tool_without_backing blocking',
    ]);
    expect(bound('X-ai_tool>H', [node('H', 'httpRequest')])).toEqual([
      'offered_tool_not_bound blocking',
    ]);
    const offered = (type: string): string[] =>
      gapsNaming('o', [agent(), node('O', type)], 'O-ai_tool>A').filter((g) =>
        g.startsWith('offered'),
      );
    expect(offered('lc:agent')).toEqual(['offered_tool_not_bound blocking']);
    expect(offered('httpRequest')).toEqual(['offered_tool_not_bound blocking']);
    expect(offered('slackTool')).toEqual([]);
    expect(offered('webhook')).toEqual([]);
  });

  it('6.4 reachability: idle triggers count', () => {
    const idle = node('I', 'webhook');
    expect(gapsOf([CHAT, idle, agent(), MODEL], `T>A ${MODELLED}`).slice(-2)).toEqual([
      'divergent_entry:t blocking',
      'divergent_entry:i blocking',
    ]);
    expect(gapsOf([CHAT, agent(), B], 'T>A')).toContain('unreachable_from_entry:b blocking');
  });

  it('6.6 families', () => {
    const family = (nodes: readonly Made[], wires: string): unknown =>
      convert(nodes, wires).summary.workflow_family;
    expect(family([CHAT, node('X', 'set')], 'T>X')).toBeNull();
    expect(family([CHAT, agent()], 'T>A')).toBe('sequential');
    expect(family([CHAT, agent()], 'T>A A>A')).toBe('graph');
    expect(family([CHAT, agent(), B, C], 'T>C C>A A>B')).toBe('sequential');
    expect(family([CHAT, agent(), B], 'T>A A>B B>A')).toBe('graph');
    expect(family([CHAT, agent(), B], 'T>A T>B')).toBe('graph');
    expect(family([CHAT, agent(), node('X', 'if')], 'T>A')).toBe('graph');
    expect(family([CHAT, agent(), B, node('X', 'set')], 'T>A A>X X>B')).toBe('sequential');
  });

  it('6.7 the cap of a loop is the cap of the graph', () => {
    const loop = (parameters: object): Made =>
      node('L', 'splitInBatches', parameters, { typeVersion: 3 });
    const wires = 'T>L L:1>A A>L';
    const open = convert([CHAT, agent(), loop({})], wires);
    expect(open.gaps.map((gap) => gap.gap_id)).toContain('unbounded_loop:l');
    expect(open.spec['workflow']).not.toHaveProperty('max_steps');
    const capped = convert([CHAT, agent(), loop({ maxIterations: 7 })], wires);
    expect(capped.spec['workflow']).toMatchObject({ max_steps: 7 });
    const last = capped.gaps.at(-1);
    expect(last).toMatchObject({ gap_id: 'parameters_not_carried:l', severity: 'info' });
    for (const maxIterations of [0, -1, 1.5, '7']) {
      expect(
        convert([CHAT, agent(), loop({ maxIterations })], wires).spec['workflow'],
      ).not.toHaveProperty('max_steps');
    }
  });

  it('6.7 labels are joined along the way; several decisions are one gap', () => {
    const nodes = [CHAT, agent(), node('X', 'if'), node('Y', 'if'), B];
    const outcome = convert(nodes, 'T>A A>X X:1>Y Y:1>B');
    expect(outcome.spec['workflow']).toMatchObject({
      edges: [{ from: 'a', to: 'b', condition: { type: 'always' }, label: '1/1' }],
    });
    expect(outcome.gaps.filter((g) => g.kind === 'branching_shape').map((g) => g.gap_id)).toEqual([
      'branching_shape:a',
    ]);
  });

  it('6.9 cycles with and without steps', () => {
    const around = [CHAT, node('X', 'httpRequest'), node('Y', 'code'), agent()];
    expect(gapsOf(around, 'T>X X>Y Y>X Y>A')).toContain('branching_shape:x blocking');
    expect(gapsOf(around, 'X>Y Y>X T>A')).not.toContain('branching_shape:x blocking');
    expect(gapsOf([CHAT, agent(), B], 'T>A A>B B>A')).toContain('unbounded_loop:a blocking');
  });

  it('6.10 what the start does not reach is one gap for each group', () => {
    const nodes = [CHAT, agent(), B, C, node('E', 'lc:agent')];
    expect(gapsOf(nodes, 'T>A B>C').filter((gap) => gap.startsWith('branching_shape'))).toEqual([
      'branching_shape:b blocking',
      'branching_shape:e blocking',
    ]);
  });
});

describe('7 the gap stream', () => {
  it('long ids are cut, doubles are numbered', () => {
    const id = 'ä'.repeat(300);
    const x = node('X', 'httpRequest', { apiKey: 'abcDEF123456!', token: 'abcDEF123456?' }, { id });
    const ids = convert([x]).gaps.map((gap) => gap.gap_id);
    expect(ids[0]).toMatch(/^inline_secret:ä{93}~[0-9a-f]{12}$/);
    expect([...(ids[0] ?? '')]).toHaveLength(120);
    expect(ids[1]).toBe(`${ids[0]}#2`);
  });

  it('spec_ref is the bare id of the step, else null', () => {
    const { gaps } = convert([CHAT, agent({ options: { x: 1 } }), MODEL], `T>A ${MODELLED}`);
    expect(gaps.map((gap) => [gap.kind, gap.spec_ref])).toEqual([
      ['entry_mechanism_not_carried', null],
      ['parameters_not_carried', 'a'],
      ['parameters_not_carried', 'a'],
    ]);
  });

  it('losses of the adapter come first, in the order of the passes', () => {
    const nodes = [
      node('N', 'stickyNote'),
      node('U', 'set', { apiKey: 'abcDEF123456!' }),
      agent({ systemMessage: 'x' }, { typeVersion: 1.7, retryOnFail: true }),
      MODEL,
      node('P', 'lc:memory'),
      CHAT,
    ];
    expect(gapsOf(nodes, `T>A A:1>U ${MODELLED} P-ai_memory>A`)).toEqual([
      'annotation:n info',
      'inline_secret:u blocking',
      'proprietary_node:u blocking',
      'proprietary_node:a blocking',
      'proprietary_node:m blocking',
      'memory:p blocking',
      'parameters_not_carried:a info',
      'execution_setting:a blocking',
      'parameters_not_carried:a#2 info',
      'entry_mechanism_not_carried:t manual',
      'parameters_not_carried:a#3 info',
    ]);
  });
});

describe('10 never carry a secret', () => {
  function withSecret(literal: string, more: object): AnalyzeOutcome {
    return run(
      raw([CHAT, node('H', 'httpRequest', { apiKey: literal }), agent(more), MODEL], MODELLED),
    );
  }

  it.each<[string, string, boolean]>([
    ['twelve characters', 'abcdefghijkl', true],
    ['four characters', 'abcd', true],
    ['three characters', 'abc', false],
    ['a word of ours', 'agent', false],
    ['a provider', 'anthropic', false],
    ['four characters outside the base plane', '😀😀😀😀', true],
    ['two characters outside the base plane', '😀😀', false],
  ])('%s in a prompt', (_what, literal, protects) => {
    const outcome = withSecret(literal, { options: { systemMessage: `use ${literal} now` } });
    if (!outcome.ok) throw new Error(outcome.code);
    const secrets = outcome.gaps.filter((gap) => gap.kind === 'inline_secret');
    expect(secrets.map((gap) => gap.source_ref.source_id)).toEqual(protects ? ['h', 'a'] : ['h']);
    expect(outcome.spec_yaml.includes(literal) && protects).toBe(false);
  });

  it('an id that holds a literal refuses the import', () => {
    const literal = 'abcDEF123456!';
    const x = node('X', 'httpRequest', { apiKey: literal }, { id: `id-${literal}` });
    expect(run(raw([x]))).toMatchObject({
      status: 422,
      code: 'source_credential_in_generated_content',
    });
  });

  it('a name that holds a literal is replaced, and scrubbed from labels', () => {
    const literal = 'abcDEF123456';
    const nodes = [CHAT, node(literal, 'lc:agent', { apiKey: literal }, { id: 'a' })];
    const outcome = accepted(raw(nodes));
    expect(outcome.spec['agent']).toMatchObject({ name: 'agent_0' });
    expect(outcome.gaps.map((gap) => gap.source_ref.source_label)).toContain('<redacted>');
    expect(JSON.stringify(outcome)).not.toContain(literal);
  });
});

describe('12 and 13 order and determinism', () => {
  it('members stand in the order of the contract', () => {
    const loop = node('L', 'splitInBatches', { maxIterations: 2 }, { typeVersion: 3 });
    const { spec } = convert([CHAT, agent(), MODEL, loop], `T>L L:1>A A>L ${MODELLED}`);
    expect(Object.keys(spec)).toEqual(['version', 'agent', 'workflow', 'components']);
    expect(Object.keys(spec['agent'] as JsonObject)).toEqual(['name', 'model', 'system_prompt']);
    const workflow = spec['workflow'] as JsonObject;
    expect(Object.keys(workflow)).toEqual(['type', 'start', 'nodes', 'edges', 'max_steps']);
    expect(JSON.stringify(workflow['edges'])).toBe(
      '[{"from":"a","to":"a","condition":{"type":"always"},"label":"1"}]',
    );
  });

  it('line ends and blanks of the file change nothing but its hash', () => {
    const text = raw([CHAT, agent(), MODEL], `T>A ${MODELLED}`);
    const wide = JSON.stringify(JSON.parse(text), null, '\t').replaceAll('\n', '\r\n');
    const [a, b] = [accepted(text), accepted(wide)];
    expect(b.spec_yaml).toBe(a.spec_yaml);
    expect(b.gaps).toEqual(a.gaps);
    expect(b.source_sha256).not.toBe(a.source_sha256);
  });
});
