import { describe, expect, it } from 'vitest';
import {
  type SampleNode as Made,
  n8nNode as node,
  n8nExport as raw,
} from '../../test/support/n8n-export.ts';
import {
  accepted,
  agent,
  aroundAgent,
  CHAT,
  convert,
  gapsNaming,
  MODEL,
  MODELLED,
  run,
  TRIGGER,
} from '../../test/support/strict-n8n.ts';
import type { JsonObject } from '../kernel/json.ts';

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
