import { describe, expect, it } from 'vitest';
import { n8nNode as node, n8nExport as raw } from '../../test/support/n8n-export.ts';
import {
  accepted,
  agent,
  aroundAgent,
  CHAT,
  convert,
  gapsNaming,
  gapsOf,
  MODEL,
  MODELLED,
  run,
  TRIGGER,
} from '../../test/support/strict-n8n.ts';
import type { JsonObject } from '../kernel/json.ts';

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
