import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kernel/json.ts';
import type { Analysis, AnalyzeOutcome } from './analysis.ts';
import { analyze } from './analyze.ts';

interface Made {
  readonly [key: string]: unknown;
}

const GPT = { provider: 'langgenius/openai/openai', name: 'gpt', mode: 'chat' };

/** A node whose title is its id in capitals; `more` stands beside `data`. */
function node(id: string, type: string, data: object = {}, more: object = {}): Made {
  return { id, ...more, data: { type, title: id.toUpperCase(), ...data } };
}

function llm(id: string, data: object = {}, more: object = {}): Made {
  const prompt_template = [{ role: 'system', text: 'Go.' }];
  return node(id, 'llm', { model: GPT, prompt_template, ...data }, more);
}

/** `a>b` is an edge; `a:true>b` one from a handle. */
function edges(text: string): Made[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const match = /^([^:>]+)(?::([^>]+))?>(.+)$/.exec(word);
      const [, source, sourceHandle, target] = match ?? [];
      return sourceHandle === undefined ? { source, target } : { source, target, sourceHandle };
    });
}

/** JSON is YAML: the app as text. */
function app(nodes: readonly Made[], wires = '', workflow: object = {}, mode = 'workflow'): string {
  const graph = { nodes, edges: edges(wires) };
  return JSON.stringify({ app: { mode, name: 'App' }, workflow: { graph, ...workflow } });
}

function config(mode: string, model_config: object): string {
  return JSON.stringify({
    app: { mode, name: 'App' },
    model_config: { model: GPT, ...model_config },
  });
}

function run(text: string): AnalyzeOutcome {
  return analyze({ source: 'dify', raw: text, conversion: 'strict' });
}

function accepted(text: string): Analysis {
  const outcome = run(text);
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
  return outcome;
}

function gapsOf(text: string): string[] {
  return accepted(text).gaps.map((gap) => `${gap.gap_id} ${gap.severity}`);
}

function gapsNaming(id: string, text: string): string[] {
  return accepted(text)
    .gaps.filter((gap) => gap.source_ref.source_id === id)
    .map((gap) => `${gap.kind} ${gap.severity}`);
}

function rootOf(text: string): JsonObject {
  return accepted(text).spec['agent'] as JsonObject;
}

const START = node('s', 'start');
const PLAIN =
  'app: {mode: completion, name: A}\nmodel_config: {pre_prompt: hi, model: {provider: openai, name: g}}\n';

describe('5.1 loading and refusals', () => {
  const a = llm('a');
  const graphOf = (graph: unknown): string =>
    JSON.stringify({ app: { mode: 'workflow' }, workflow: { graph } });
  const cases: [string, string][] = [
    ['an empty document', '# nothing\n'],
    ['null', 'null'],
    ['a list', '- a\n'],
    ['two documents', `${PLAIN}---\n${PLAIN}`],
    ['a custom tag', `${PLAIN}x: !thing y\n`],
    ['a tag of another language', `${PLAIN}x: !!python/object:a.B {}\n`],
    ['a tab as indent', 'app:\n\tmode: chat\n'],
    ['an alias that contains itself', `${PLAIN}x: &x [*x]\n`],
    ['an alias without an anchor', `${PLAIN}x: *y\n`],
    ['a list as a key', `${PLAIN}? [a]\n: b\n`],
    ['a version that is a number', `${PLAIN}version: 0.3\n`],
    ['a version that is no version', `${PLAIN}version: latest\n`],
    ['a version with a suffix', `${PLAIN}version: 0.3.0-rc1\n`],
    ['a newer patch', `${PLAIN}version: 0.7.1\n`],
    ['a newer minor', `${PLAIN}version: 0.10.0\n`],
    ['a newer major', `${PLAIN}version: v1\n`],
    ['no app', 'version: 0.3.0\n'],
    ['no mode', 'app: {name: x}\n'],
    ['another mode', 'app: {mode: channel}\n'],
    ['no workflow', 'app: {mode: workflow}\n'],
    ['a workflow that is a list', 'app: {mode: advanced-chat}\nworkflow: []\n'],
    ['no graph', 'app: {mode: workflow}\nworkflow: {}\n'],
    ['nodes no list', graphOf({ nodes: {} })],
    ['edges no list', graphOf({ nodes: [], edges: {} })],
    ['a node that is text', graphOf({ nodes: ['x'] })],
    ['an id that is a number', graphOf({ nodes: [{ id: 17, data: {} }] })],
    ['an empty id', graphOf({ nodes: [{ id: '', data: {} }] })],
    ['a repeated id', app([a, a])],
    ['data no mapping', graphOf({ nodes: [{ id: 'x', data: [] }] })],
    ['an edge that is text', graphOf({ nodes: [], edges: ['x'] })],
    ['an edge to an unknown node', app([a], 'a>b')],
    ['an edge from an unknown node', app([a], 'b>a')],
    ['an edge to a note', app([a, node('n', '', {}, { type: 'custom-note' })], 'a>n')],
    ['environment no list', app([a], '', { environment_variables: {} })],
    ['no model_config', 'app: {mode: chat}\n'],
    ['an empty model_config', 'app: {mode: completion}\nmodel_config: {}\n'],
    ['tools no list', config('agent-chat', { agent_mode: { tools: {} } })],
  ];

  it.each(cases)('%s is refused', (_what, text) => {
    expect(run(text)).toMatchObject({ ok: false, status: 422, code: 'source_unparseable' });
  });

  it.each([
    ['a byte order mark', `\uFEFF${PLAIN}`],
    ['line ends of Windows', PLAIN.replaceAll('\n', '\r\n')],
    ['a document mark', `---\n${PLAIN}...\n`],
    ['a directive', `%YAML 1.1\n---\n${PLAIN}`],
    ['a repeated key', `${PLAIN}x: 1\nx: 2\n`],
    ['merge keys', `x: &x {mode: completion, name: A}\napp: {<<: *x}\n${PLAIN.split('\n')[1]}\n`],
    ['numbers of any size', `${PLAIN}x: [123456789012345678901234567890, .inf, -.inf, .nan]\n`],
    ['dates and sixties', `${PLAIN}x: [2026-11-21, 2026-11-21T10:00:00Z, 1:30]\n`],
    ['no version', PLAIN],
    ['version null', `${PLAIN}version:\n`],
    ['version false', `${PLAIN}version: no\n`],
    ['version 0', `${PLAIN}version: 0\n`],
    ['version empty', `${PLAIN}version: ''\n`],
    ['version an empty list', `${PLAIN}version: []\n`],
    ['version with a v', `${PLAIN}version: v0.3\n`],
    ['the newest version', `${PLAIN}version: 0.7.0\n`],
    ['a fourth number', `${PLAIN}version: 0.7.0.9\n`],
  ])('%s is read', (_what, text) => {
    expect(accepted(text).spec['agent']).toEqual({
      name: 'a',
      model: { provider: 'openai', name: 'g' },
      system_prompt: 'hi',
    });
  });

  it('booleans of YAML 1.1 are booleans', () => {
    const text = `${PLAIN}`.replace('pre_prompt: hi', 'more_like_this: {enabled: yes}');
    expect(gapsOf(text)).toContain('parameters_not_carried:model_config manual');
  });
});

describe('5.2 identity', () => {
  it('names nodes, edges, environment, features and tools', () => {
    const tools = { value: [{ enabled: true, tool_name: 't', type: 'mcp' }, { enabled: true }] };
    const text = app(
      [START, node('x', 'agent', { title: '', agent_parameters: { tools } }), node('b', 'if-else')],
      's>x x>b b:other>x',
      {
        features: { text_to_speech: { enabled: true } },
        environment_variables: [
          { name: 'A' },
          { name: 'K', value_type: 'secret', value: 'abcdefghijklm' },
        ],
      },
    );
    const refs = accepted(text).gaps.map(
      ({ source_ref: r }) => `${r.source_id}|${r.source_label}|${r.locator}`,
    );
    expect(refs).toEqual(
      expect.arrayContaining([
        'x|x|$.workflow.graph.nodes[1]',
        'edge:2|connection 2|$.workflow.graph.edges[2]',
        'env:K|K|$.workflow.environment_variables[1]',
        'feature:text_to_speech|text_to_speech|$.workflow.features.text_to_speech',
        'x:tools[0]|t|$.workflow.graph.nodes[1].data.agent_parameters.tools.value[0]',
        's|S|$.workflow.graph.nodes[0]',
      ]),
    );
    const chat = config('agent-chat', {
      agent_mode: {
        enabled: true,
        strategy: 'function_call',
        tools: [{ enabled: true, tool_name: 't', provider_type: 'api', a: 1 }],
      },
      sensitive_word_avoidance: { enabled: true },
    });
    const config_refs = accepted(chat).gaps.map(
      ({ source_ref: r }) => `${r.source_id}|${r.source_label}|${r.locator}`,
    );
    expect([...new Set(config_refs)]).toEqual([
      'feature:sensitive_word_avoidance|sensitive_word_avoidance|$.model_config.sensitive_word_avoidance',
      'model_config|App|$.model_config',
      'app|App|$.app',
      'model_config:tools[0]|t|$.model_config.agent_mode.tools[0]',
    ]);
  });
});

describe('5.3 node types', () => {
  it.each([
    ['start', 'entry_mechanism_not_carried', 'info'],
    ['trigger-schedule', 'entry_mechanism_not_carried', 'manual'],
    ['trigger-webhook', 'entry_mechanism_not_carried', 'manual'],
    ['trigger-plugin', 'entry_mechanism_not_carried', 'manual'],
    ['end', 'source_cannot_run', 'blocking'],
    ['answer', 'source_cannot_run', 'blocking'],
    ['if-else', 'expression', 'blocking'],
    ['question-classifier', 'expression', 'blocking'],
    ['code', 'proprietary_node', 'blocking'],
    ['http-request', 'proprietary_node', 'blocking'],
    ['tool', 'deterministic_tool', 'blocking'],
    ['iteration', 'containment_not_carried', 'blocking'],
    ['loop', 'containment_not_carried', 'blocking'],
    ...[
      'knowledge-retrieval template-transform variable-aggregator variable-assigner assigner',
      'document-extractor list-operator human-input datasource datasource-empty knowledge-index',
      'start-placeholder iteration-start loop-start loop-end something-new',
    ]
      .flatMap((line) => line.split(' '))
      .map((type) => [type, 'proprietary_node', 'blocking']),
  ])('%s', (type, kind, severity) => {
    expect(gapsOf(app([node('x', String(type))]))).toEqual([`${kind}:x ${severity}`]);
  });

  it('a missing type and a newer agent are without counterpart', () => {
    expect(gapsOf(app([{ id: 'x', data: {} }]))).toEqual(['proprietary_node:x blocking']);
    const v2 = node('x', 'agent', { version: '2', agent_node_kind: 'dify_agent' });
    expect(gapsOf(app([v2]))).toEqual(['proprietary_node:x blocking']);
  });

  it('entries missing: absent, or unknown beside a type that is not known', () => {
    const noEntry = (type: string): string | undefined =>
      gapsOf(app([llm('a'), node('x', type)])).find((gap) => gap.startsWith('no_entry'));
    expect(noEntry('template-transform')).toBe('no_entry:a blocking');
    expect(noEntry('code')).toBe('no_entry:a blocking');
    expect(noEntry('new-trigger')).toBe('no_entry:a manual');
    expect(noEntry('loop-start')).toBe('no_entry:a manual');
    const v2 = node('x', 'agent', { version: 2, agent_node_kind: 'dify_agent' });
    expect(gapsOf(app([llm('a'), v2]))).toContain('no_entry:a blocking');
  });

  it.each([
    [['topic'], 1],
    [['größe'], 1],
    [['a-b', 'c d'], 1],
    [['c d', ''], 0],
    [[], 0],
  ])('form variables %j', (names, count) => {
    const start = node('s', 'start', { variables: names.map((variable) => ({ variable })) });
    const gaps = gapsNaming('s', app([start]));
    expect(gaps.filter((gap) => gap === 'run_input manual')).toHaveLength(count);
  });

  it('notes are annotations, and are not scanned', () => {
    const note = node('n', '', { api_key: 'abcdefghijklmn' }, { type: 'custom-note' });
    expect(gapsOf(app([note]))).toEqual(['annotation:n info']);
  });

  it('members vanish with their outermost container; edges are lifted', () => {
    const nodes = [
      START,
      node('i', 'iteration'),
      node('is', 'iteration-start', { iteration_id: 'i' }),
      node('l', 'loop', {}, { parentId: 'i' }),
      llm('m', { loop_id: 'l', iteration_id: 'l', error_strategy: 'fail-branch' }),
      llm('z'),
    ];
    const outcome = accepted(app(nodes, 's>i i>is is>l l>m m>z m:fail-branch>z'));
    expect(outcome.gaps.map((gap) => gap.gap_id)).toEqual([
      'containment_not_carried:i',
      'entry_mechanism_not_carried:s',
    ]);
    expect(outcome.summary).toMatchObject({ node_count: 2, edge_count: 3 });
    expect(outcome.spec['workflow']).toMatchObject({ type: 'sequential' });
  });

  it('of containers that stand in each other the first one counts', () => {
    const a = node('a', 'loop', {}, { parentId: 'b' });
    const b = node('b', 'iteration', {}, { parentId: 'a' });
    const outcome = accepted(app([START, a, b], 's>b b>a'));
    expect(outcome.gaps.map((gap) => gap.gap_id)).toEqual([
      'containment_not_carried:a',
      'entry_mechanism_not_carried:s',
    ]);
  });

  it('a parent that is no container keeps nothing', () => {
    const note = node('n', 'loop', {}, { type: 'custom-note' });
    const noted = app([START, note, llm('a', {}, { parentId: 'n' })], 's>a');
    expect(accepted(noted).summary).toMatchObject({ node_count: 1, edge_count: 1 });
    const nodes = [START, llm('a', { iteration_id: 'nothing' }), llm('b', { loop_id: 'a' })];
    expect(accepted(app(nodes, 's>a a>b')).summary.node_count).toBe(2);
  });
});

describe('5.4 prompts', () => {
  const sys = (text: unknown, more: object = {}): object => ({ role: 'system', text, ...more });
  it.each<[string, unknown, string | undefined, string[]]>([
    ['one message', [sys('Hi')], 'Hi', []],
    ['two messages', [sys('A'), { role: 'user', text: '' }, sys('B')], 'A\n\nB', []],
    ['a variable', [sys('Hi {{#s.q#}}')], undefined, ['expression blocking']],
    ['the context', [sys('{{#context#}}')], undefined, ['expression blocking']],
    ['braces inside', [sys('{{#a{b#}}')], '{{#a{b#}}', []],
    ['plain braces', [sys('{{ name }}')], '{{ name }}', []],
    ['no text', [sys('A'), sys(7)], undefined, ['parameters_not_carried blocking']],
    ['blank', [sys('  ')], undefined, []],
    ['jinja without marks', [sys('x', { edition_type: 'jinja2', jinja2_text: 'J' })], 'J', []],
    [
      'jinja variable',
      [sys('x', { edition_type: 'jinja2', jinja2_text: '{{ a }}' })],
      undefined,
      ['expression blocking'],
    ],
    [
      'jinja block',
      [sys('x', { edition_type: 'jinja2', jinja2_text: '{% if a %}' })],
      undefined,
      ['expression blocking'],
    ],
    ['a mapping', { text: 'Done' }, 'Done', []],
    ['user text', [{ role: 'user', text: 'Q' }], undefined, ['run_input manual']],
    ['user variable', [{ role: 'user', text: '{{#s.q#}}' }], undefined, ['run_input manual']],
    [
      'assistant text',
      [{ role: 'assistant', text: 'A' }],
      undefined,
      ['parameters_not_carried manual'],
    ],
    ['nothing', undefined, undefined, []],
  ])('%s', (_what, prompt_template, prompt, gaps) => {
    const text = app([START, llm('a', { prompt_template })], 's>a');
    expect(rootOf(text)['system_prompt']).toBe(prompt);
    expect(gapsNaming('a', text)).toEqual(gaps);
  });

  it.each<[string, unknown, JsonObject | undefined, string[]]>([
    ...(
      [
        ['anthropic', 'anthropic'],
        ['langgenius/azure_openai/azure_openai', 'azure-openai'],
        ['bedrock', 'aws-bedrock'],
        ['cohere', 'cohere'],
        ['langgenius/gemini/gemini', 'google'],
        ['google', 'google'],
        ['groq', 'groq'],
        ['huggingface_hub', 'huggingface'],
        ['mistralai', 'mistral'],
        ['ollama', 'ollama'],
        ['openai', 'openai'],
        ['vertex_ai', 'google-vertex'],
      ] as const
    ).map(([provider, known]): [string, unknown, JsonObject, string[]] => [
      provider,
      { provider, name: ' m ' },
      { provider: known, name: 'm' },
      [],
    ]),
    [
      'model in the place of name',
      { provider: 'openai', model: 'm' },
      { provider: 'openai', name: 'm' },
      [],
    ],
    [
      'another provider',
      { provider: 'x/deepseek', name: 'm' },
      undefined,
      ['model_unresolved manual'],
    ],
    ['no provider', { name: 'm' }, undefined, ['model_unresolved manual']],
    ['another case', { provider: 'OpenAI', name: 'm' }, undefined, ['model_unresolved manual']],
    ['no name', { provider: 'openai', name: '' }, undefined, ['proprietary_node blocking']],
    [
      'a name that is a number',
      { provider: 'openai', name: 4 },
      undefined,
      ['proprietary_node blocking'],
    ],
    ['none at all', undefined, undefined, ['proprietary_node blocking']],
    [
      'settings',
      { provider: 'openai', name: 'm', completion_params: { top_p: 0, stop: [] } },
      { provider: 'openai', name: 'm' },
      ['parameters_not_carried manual'],
    ],
    [
      'empty settings',
      { provider: 'openai', name: 'm', completion_params: { stop: [], a: null, b: '' } },
      { provider: 'openai', name: 'm' },
      [],
    ],
  ])('model: %s', (_what, model, expected, gaps) => {
    const text = app([START, llm('a', { model })], 's>a');
    expect(rootOf(text)['model']).toEqual(expected);
    expect(gapsNaming('a', text)).toEqual(gaps);
  });

  it.each<[string, unknown, object, boolean]>([
    ['absent', undefined, {}, false],
    ['another first part', ['conversation', 'M'], {}, false],
    ['a good one', ['env', 'M'], {}, false],
    ['a name that is not there', ['env', 'N'], {}, true],
    ['no name', ['env'], {}, true],
    ['one part too many', ['env', 'M', 'x'], {}, true],
    ['a variable of another type', ['env', 'M'], { value_type: 'string' }, true],
    ['a member too many', ['env', 'M'], { value: { ...GPT, extra: 1 } }, true],
    ['another mode', ['env', 'M'], { value: { ...GPT, mode: 'completion' } }, true],
    ['no mode', ['env', 'M'], { value: { provider: 'openai', name: 'g' } }, true],
  ])('model_selector: %s', (_what, model_selector, more, broken) => {
    const value = { provider: 'cohere', name: 'c', mode: 'chat', completion_params: {} };
    const environment_variables = [{ name: 'M', value_type: 'llm', value, ...more }];
    const text = app([START, llm('a', { model_selector })], 's>a', { environment_variables });
    expect(gapsNaming('a', text)).toEqual(broken ? ['source_cannot_run blocking'] : []);
    const isEnv = Array.isArray(model_selector) && model_selector[0] === 'env' && !broken;
    expect(rootOf(text)['model']).toMatchObject({ provider: isEnv ? 'cohere' : 'openai' });
  });

  it.each<[string, object, string[]]>([
    ['context on', { context: { enabled: true } }, ['parameters_not_carried manual']],
    ['context off', { context: { enabled: false, variable_selector: ['a'] } }, []],
    ['vision on', { vision: { enabled: true } }, ['parameters_not_carried manual']],
    [
      'structured output',
      { structured_output_enabled: true, structured_output: { schema: {} } },
      ['parameters_not_carried manual'],
    ],
    [
      'all at once are one gap',
      { vision: { enabled: true }, context: { enabled: true } },
      ['parameters_not_carried manual'],
    ],
    ['memory in a workflow', { memory: { window: {} } }, []],
  ])('llm settings: %s', (_what, data, gaps) => {
    expect(gapsNaming('a', app([START, llm('a', data)], 's>a'))).toEqual(gaps);
  });

  it('memory is lost in a chat flow', () => {
    const memory = { window: { enabled: false } };
    const chat = (made: Made): string[] =>
      gapsNaming('a', app([START, made], 's>a', {}, 'advanced-chat')).filter((g) =>
        g.startsWith('memory'),
      );
    expect(chat(llm('a', { memory }))).toEqual(['memory blocking']);
    expect(chat(llm('a', { memory: {} }))).toEqual([]);
    expect(chat(node('a', 'parameter-extractor', { model: GPT, memory }))).toEqual([
      'memory blocking',
    ]);
    expect(chat(node('a', 'agent', { memory }))).toEqual(['memory blocking']);
  });

  it('a parameter extractor is a model call', () => {
    const data = {
      model: GPT,
      instruction: 'Find.',
      query: ['s', 'q'],
      parameters: [{ name: 'x' }],
      reasoning_mode: 'prompt',
    };
    const text = app([START, node('a', 'parameter-extractor', data)], 's>a');
    expect(rootOf(text)).toMatchObject({ system_prompt: 'Find.', model: { name: 'gpt' } });
    expect(gapsNaming('a', text)).toEqual(['parameters_not_carried manual', 'run_input manual']);
  });
});

describe('5.4 agents', () => {
  const EXECUTION = 'agent_execution_mode_not_carried blocking';
  const READ = {
    agent_strategy_provider_name: 'langgenius/agent/agent',
    agent_strategy_name: 'function_calling',
  };
  const BASE = { model: { type: 'constant', value: GPT } };
  function agent(parameters: object, more: object = READ): string {
    return app(
      [START, node('a', 'agent', { ...more, agent_parameters: { ...BASE, ...parameters } })],
      's>a',
    );
  }
  const of = (value: unknown, type = 'constant'): object => ({ type, value });

  it.each<[string, object, string[]]>([
    ['read', {}, ['parameters_not_carried info']],
    ['iterations', { maximum_iterations: of(5) }, ['parameters_not_carried manual']],
    ['iterations as digits', { maximum_iterations: of('5') }, ['parameters_not_carried manual']],
    ['query', { query: of('hi') }, ['parameters_not_carried info', 'run_input manual']],
    [
      'query by variable',
      { query: of(['s', 'q'], 'variable') },
      ['parameters_not_carried info', 'run_input manual'],
    ],
    ['empty query', { query: of('') }, ['parameters_not_carried info']],
    [
      'another parameter',
      { depth: of(2) },
      ['parameters_not_carried manual', 'parameters_not_carried info'],
    ],
    ['an empty parameter', { depth: of('') }, ['parameters_not_carried info']],
    ['memory', { memory: of({ a: 1 }) }, ['memory blocking', 'parameters_not_carried info']],
    [
      'computed instruction',
      { instruction: of('x {{#s.q#}}') },
      ['parameters_not_carried info', 'expression blocking'],
    ],
  ])('%s', (_what, parameters, gaps) => {
    expect(gapsNaming('a', agent(parameters))).toEqual(gaps);
  });

  it('the instruction is the prompt of a read strategy, else an instruction of the executor', () => {
    const instruction = { instruction: of('Act.') };
    expect(rootOf(agent(instruction))['system_prompt']).toBe('Act.');
    const react = { ...READ, agent_strategy_name: 'ReAct' };
    expect(rootOf(agent(instruction, react))['system_prompt']).toBe('Act.');
    for (const more of [
      { ...READ, agent_strategy_name: 'react' },
      { ...READ, agent_strategy_provider_name: 'me/agent/agent' },
      {},
    ]) {
      const text = agent(instruction, more);
      expect(rootOf(text)).not.toHaveProperty('system_prompt');
      expect(gapsNaming('a', text)).toEqual([EXECUTION]);
    }
  });

  it('tools are bound when they are enabled', () => {
    const value = [
      { enabled: true, tool_name: 'x', type: 'builtin' },
      { enabled: false, tool_name: 'y' },
      { tool_name: 'z' },
      { enabled: true, provider_name: 'p', type: 'api' },
    ];
    const outcome = accepted(agent({ tools: of(value) }));
    expect(outcome.summary.tool_count).toBe(2);
    expect(outcome.gaps.slice(-2).map((gap) => gap.gap_id)).toEqual([
      'tool_without_backing:a:tools[0]',
      'tool_without_backing:a:tools[3]',
    ]);
  });
});

describe('5.4 apps without a graph', () => {
  const MEMORY = 'memory:model_config blocking';
  const ENTRY = 'entry_mechanism_not_carried:app info';
  it.each<[string, string, object, string[]]>([
    ['completion', 'completion', { pre_prompt: 'Hi' }, [ENTRY]],
    ['chat', 'chat', { pre_prompt: 'Hi' }, [MEMORY, ENTRY]],
    [
      'a variable',
      'completion',
      { pre_prompt: 'Hi {{name}}' },
      [ENTRY, 'expression:model_config blocking'],
    ],
    ['no variable', 'completion', { pre_prompt: 'Hi {{ name }}' }, [ENTRY]],
    [
      'the query',
      'completion',
      { pre_prompt: '{{#query#}}' },
      [ENTRY, 'expression:model_config blocking'],
    ],
    [
      'another prompt type',
      'completion',
      { prompt_type: 'x', pre_prompt: 'Hi' },
      [ENTRY, 'parameters_not_carried:model_config blocking'],
    ],
    [
      'settings',
      'completion',
      { opening_statement: 'Hello' },
      [ENTRY, 'parameters_not_carried:model_config manual'],
    ],
    ['empty settings', 'completion', { opening_statement: '', suggested_questions: [] }, [ENTRY]],
    [
      'switched settings',
      'completion',
      { file_upload: { image: { enabled: true } } },
      [ENTRY, 'parameters_not_carried:model_config manual'],
    ],
    [
      'losses in order',
      'chat',
      {
        user_input_form: [{ 'text-input': { variable: 'v' } }],
        dataset_configs: { datasets: { datasets: [{ dataset: { id: 'x' } }] } },
        sensitive_word_avoidance: { enabled: true },
      },
      [
        'execution_setting:feature:sensitive_word_avoidance blocking',
        'external_service:model_config blocking',
        'run_input:model_config manual',
        MEMORY,
        ENTRY,
      ],
    ],
  ])('%s', (_what, mode, model_config, gaps) => {
    expect(gapsOf(config(mode, model_config))).toEqual(gaps);
  });

  it('advanced prompts: chat, or completion when the model completes', () => {
    const both = {
      prompt_type: 'advanced',
      chat_prompt_config: { prompt: [{ role: 'system', text: 'Chat.' }] },
      completion_prompt_config: { prompt: { text: 'Complete.' } },
    };
    expect(rootOf(config('completion', both))['system_prompt']).toBe('Chat.');
    const model = { ...GPT, mode: 'completion' };
    expect(rootOf(config('completion', { ...both, model }))['system_prompt']).toBe('Complete.');
    const unset = { ...both, completion_prompt_config: {}, model };
    expect(rootOf(config('completion', unset))['system_prompt']).toBe('Chat.');
  });

  it.each<[string, unknown, boolean]>([
    ['function_call', { enabled: true, strategy: 'function_call' }, true],
    ['switched off', { enabled: false, strategy: 'react' }, true],
    ['router', { enabled: true, strategy: 'router' }, false],
    ['react_router', { enabled: true, strategy: 'react_router' }, false],
    ['no strategy', { enabled: true }, false],
    ['no switch', { strategy: 'function_call' }, false],
    ['none', undefined, false],
  ])('agent-chat strategy %s', (_what, agent_mode, read) => {
    const gaps = gapsNaming('model_config', config('agent-chat', { agent_mode }));
    expect(gaps.includes('agent_execution_mode_not_carried blocking')).toBe(!read);
  });

  it('tools of an app need four members and a switch', () => {
    const tools = [
      { enabled: true, a: 1, b: 2, tool_name: 'x' },
      { enabled: true, tool_name: 'y' },
      { enabled: false, a: 1, b: 2, tool_name: 'z' },
    ];
    const agent_mode = { enabled: true, strategy: 'function_call', tools };
    expect(accepted(config('agent-chat', { agent_mode })).summary.tool_count).toBe(1);
  });

  it('a packaged agent is one loss', () => {
    const outcome = accepted('app: {mode: agent, name: P}\n');
    expect(outcome.gaps.map((gap) => gap.gap_id)).toEqual(['proprietary_node:app']);
    expect(outcome.spec).toEqual({ version: 'v1', agent: { name: 'imported-agent' } });
    expect(outcome.summary).toMatchObject({ node_count: 0, workflow_family: null });
  });
});

describe('5.5 branches, handles and failures', () => {
  const two = [START, llm('a'), llm('b')];
  it.each<[string, object, string, string | undefined]>([
    ['a case by case_id', { cases: [{ case_id: 'k', id: 'i' }] }, 'k', 'k'],
    ['a case by id', { cases: [{ id: 'i' }] }, 'i', 'i'],
    ['a case by its index', { cases: [{}, { case_id: 3 }] }, 'case[1]', 'case[1]'],
    ['else', { cases: [{ case_id: 'k' }] }, 'false', 'false'],
    ['without cases', {}, 'true', 'true'],
    ['no default output', {}, 'source', undefined],
    ['another handle', { cases: [] }, 'true', undefined],
  ])('if-else: %s', (_what, data, handle, label) => {
    const nodes = [...two, node('x', 'if-else', data)];
    const outcome = accepted(app(nodes, `s>a a>x x:${handle}>b`));
    const ids = outcome.gaps.map((gap) => `${gap.gap_id} ${gap.severity}`);
    expect(ids.includes('parameters_not_carried:edge:2 info')).toBe(label === undefined);
    expect(outcome.spec['workflow']).toMatchObject({
      edges: label === undefined ? [] : [{ from: 'a', to: 'b', label }],
    });
  });

  it('a classifier has its classes and no else', () => {
    const nodes = [
      ...two,
      node('x', 'question-classifier', { classes: [{ id: '1' }, { name: 'n' }] }),
    ];
    expect(accepted(app(nodes, 's>a a>x x:1>b x:class[1]>b')).summary.edge_count).toBe(4);
    expect(gapsOf(app(nodes, 's>a a>x x:false>b'))).toContain('parameters_not_carried:edge:2 info');
  });

  it('an edge that is no edge is dropped with its place', () => {
    const graph = {
      nodes: two,
      edges: [
        { source: 's', target: 'a' },
        { source: 'a', target: 7 },
        { target: 'b' },
        { source: 'a', target: 'b', sourceHandle: 7 },
        { source: 'a', target: 'b', sourceHandle: null },
      ],
    };
    const text = JSON.stringify({ app: { mode: 'workflow' }, workflow: { graph } });
    expect(gapsOf(text).slice(0, 3)).toEqual(
      [1, 2, 3].map((i) => `parameters_not_carried:edge:${i} info`),
    );
    expect(accepted(text).spec['workflow']).toMatchObject({ type: 'sequential' });
  });

  it('other handles of other nodes are kept with their label', () => {
    const outcome = accepted(app(two, 's>a a:extra>b'));
    expect(outcome.spec['workflow']).toMatchObject({ type: 'sequential' });
    const looped = accepted(app([...two, llm('c')], 's>a a:extra>b a>c'));
    expect(looped.spec['workflow']).toMatchObject({
      edges: [
        { from: 'a', to: 'b', condition: { type: 'always' }, label: 'extra' },
        { from: 'a', to: 'c' },
      ],
    });
  });

  it.each<[string, object, string, string[]]>([
    [
      'fail-branch, wired',
      { error_strategy: 'fail-branch' },
      'a:fail-branch>b',
      ['error_route_not_carried blocking'],
    ],
    [
      'fail-branch, unwired',
      { error_strategy: 'fail-branch' },
      'a>b',
      ['execution_setting blocking'],
    ],
    ['default value', { error_strategy: 'default-value' }, 'a>b', ['execution_setting blocking']],
    ['retry', { retry_config: { retry_enabled: true } }, 'a>b', ['execution_setting blocking']],
    ['retry off', { retry_config: { retry_enabled: false, max_retries: 3 } }, 'a>b', []],
    [
      'both',
      { error_strategy: 'fail-branch', retry_config: { retry_enabled: true } },
      'a:fail-branch>b',
      ['error_route_not_carried blocking', 'execution_setting blocking'],
    ],
  ])('%s', (_what, data, wire, gaps) => {
    const nodes = [START, llm('a', data), llm('b')];
    expect(gapsNaming('a', app(nodes, `s>a ${wire}`))).toEqual(gaps);
  });

  it('a node with a failure output declares its outputs for good', () => {
    const nodes = [START, llm('a', { error_strategy: 'fail-branch' }), llm('b')];
    expect(gapsOf(app(nodes, 's>a a:other>b'))).toContain('parameters_not_carried:edge:1 info');
    expect(gapsOf(app(two, 's>a a:fail-branch>b'))).not.toContain(
      'parameters_not_carried:edge:1 info',
    );
  });

  it('a failure route of an element without counterpart is still told', () => {
    const data = { error_strategy: 'fail-branch', retry_config: { retry_enabled: true } };
    const nodes = [...two, node('x', 'knowledge-retrieval', data)];
    expect(gapsNaming('x', app(nodes, 's>x x>a x:fail-branch>b'))).toEqual([
      'proprietary_node blocking',
      'error_route_not_carried blocking',
    ]);
    expect(gapsNaming('x', app(nodes, 's>x x>a'))).toEqual(['proprietary_node blocking']);
  });
});

describe('5.6 answers and features', () => {
  const FORMAT = 'output_formatting_not_carried manual';
  it.each<[string, Made, string[]]>([
    ['end without outputs', node('e', 'end', { outputs: [] }), [FORMAT]],
    ['end with outputs', node('e', 'end', { outputs: [{ variable: 'x' }] }), [FORMAT]],
    ['end of another form', node('e', 'end', { outputs: {} }), ['source_cannot_run blocking']],
    ['answer of another form', node('e', 'answer', { answer: 7 }), ['source_cannot_run blocking']],
    ['plain answer', node('e', 'answer', { answer: 'Hi' }), [FORMAT]],
    ['answer around a reference', node('e', 'answer', { answer: ' {{#a.text#}}' }), [FORMAT]],
    ['two references', node('e', 'answer', { answer: '{{#a.text#}}{{#a.text#}}' }), [FORMAT]],
    ['a reference without a field', node('e', 'answer', { answer: '{{#a#}}' }), [FORMAT]],
    ['the text before', node('e', 'answer', { answer: '{{#a.text#}}' }), []],
    ['another field', node('e', 'answer', { answer: '{{#a.usage#}}' }), [FORMAT]],
    ['another element', node('e', 'answer', { answer: '{{#s.text#}}' }), [FORMAT]],
  ])('%s', (_what, end, gaps) => {
    expect(gapsNaming('e', app([START, llm('a'), end], 's>a a>e', {}, 'advanced-chat'))).toEqual(
      gaps,
    );
  });

  const answer = (id: string, from = 'a'): Made =>
    node(id, 'answer', { answer: `{{#${from}.text#}}` });
  it.each<[string, readonly Made[], string, boolean]>([
    ['nothing before it', [llm('a'), answer('e')], 's>a', false],
    ['something after it', [llm('a'), answer('e'), llm('b')], 's>a a>e e>b', true],
    ['two before it', [llm('a'), llm('b'), answer('e')], 's>a s>b a>e b>e', true],
    ['two edges from one', [llm('a'), answer('e')], 's>a a>e a:x>e', false],
    ['a code element before it', [node('a', 'code'), answer('e')], 's>a a>e', true],
    [
      'an agent that is not read as one',
      [node('a', 'agent', { version: 2, agent_node_kind: 'dify_agent' }), answer('e')],
      's>a a>e',
      true,
    ],
    ['a later step', [llm('a'), answer('e'), llm('b')], 's>a a>e a>b', true],
    [
      'another answer on another arm',
      [node('x', 'if-else'), llm('a'), answer('e'), llm('b'), answer('f', 'b')],
      's>x x:true>a x:false>b a>e b>f',
      false,
    ],
    [
      'another answer on the same arm',
      [node('x', 'if-else'), llm('a'), answer('e'), llm('b'), answer('f', 'b')],
      's>x x:true>a x:true>b a>e b>f',
      true,
    ],
    [
      'another answer beside it',
      [llm('a'), answer('e'), llm('b'), answer('f', 'b')],
      's>a s>b a>e b>f',
      true,
    ],
    [
      'a chooser that comes back to itself',
      [node('x', 'if-else'), llm('a'), answer('e'), llm('b'), answer('f', 'b')],
      's>x x:true>a x:false>b a>e b>f b>x',
      true,
    ],
  ])('a reference is the last text: %s', (_what, nodes, wires, lost) => {
    const gaps = gapsNaming('e', app([START, ...nodes], wires, {}, 'advanced-chat'));
    expect(gaps).toEqual(lost ? [FORMAT] : []);
  });

  const features: [string, string, unknown, string | undefined][] = [
    ['advanced-chat', 'opening_statement', 'Hello', 'parameters_not_carried manual'],
    ['advanced-chat', 'opening_statement', '', undefined],
    ['advanced-chat', 'suggested_questions', ['a'], 'parameters_not_carried manual'],
    ['advanced-chat', 'speech_to_text', { enabled: true }, 'parameters_not_carried manual'],
    ['advanced-chat', 'speech_to_text', { enabled: false }, undefined],
    ['advanced-chat', 'file_upload', { enabled: true }, 'parameters_not_carried manual'],
    ['advanced-chat', 'file_upload', { enabled: false, image: { enabled: true } }, undefined],
    ['advanced-chat', 'retriever_resource', { enabled: true }, undefined],
    ['advanced-chat', 'sensitive_word_avoidance', { enabled: true }, 'execution_setting blocking'],
    ['workflow', 'sensitive_word_avoidance', { enabled: true }, 'parameters_not_carried info'],
    ['workflow', 'opening_statement', 'Hello', 'parameters_not_carried info'],
    [
      'workflow',
      'suggested_questions_after_answer',
      { enabled: true },
      'parameters_not_carried info',
    ],
    ['workflow', 'text_to_speech', { enabled: true }, 'parameters_not_carried manual'],
    ['workflow', 'file_upload', { enabled: true }, 'parameters_not_carried manual'],
    ['workflow', 'brand_new', { enabled: true }, 'parameters_not_carried manual'],
    ['advanced-chat', 'brand_new', { enabled: true }, 'parameters_not_carried manual'],
  ];

  it.each(features)('feature in %s: %s %j', (mode, key, value, gap) => {
    const text = app([START], '', { features: { [key]: value } }, mode);
    expect(gapsNaming(`feature:${key}`, text)).toEqual(gap === undefined ? [] : [gap]);
  });

  it('citations count where knowledge is looked up', () => {
    const nodes = [START, node('k', 'knowledge-retrieval')];
    const workflow = { features: { retriever_resource: { enabled: true } } };
    expect(
      gapsNaming('feature:retriever_resource', app(nodes, '', workflow, 'advanced-chat')),
    ).toEqual(['parameters_not_carried info']);
  });
});

describe('5.7 secrets', () => {
  const SECRET = 'abcDEF123456!';
  it.each<[string, object, string[]]>([
    ['a text', { api_key: SECRET }, ['data.api_key']],
    ['in a list', { list: [{ token: SECRET }] }, ['data.list[0].token']],
    ['a value below', { api_key: { value: SECRET } }, ['data.api_key.value']],
    [
      'beside a value below',
      { api_key: { value: SECRET, token: 'otherLiteral99' } },
      ['data.api_key.value', 'data.api_key.token'],
    ],
    [
      'in authorization',
      { authorization: { config: { api_key: SECRET } } },
      ['data.authorization.config.api_key'],
    ],
    [
      'headers',
      { headers: `Accept: x\r\nAuthorization: ${SECRET}\nX-API-Key:${SECRET}2` },
      ['data.headers.Authorization', 'data.headers.X-API-Key'],
    ],
    ['params', { params: `token: ${SECRET}` }, ['data.params.token']],
    ['a reference', { api_key: '{{#env.K#}}' }, []],
    ['a header with a reference', { headers: 'Authorization: Bearer {{#env.K#}}' }, []],
    ['blank', { api_key: ' ' }, []],
    ['another name', { max_tokens: SECRET, body: `token: ${SECRET}` }, []],
  ])('%s', (_what, data, paths) => {
    const gaps = accepted(app([START, node('x', 'http-request', data)])).gaps.filter(
      (gap) => gap.kind === 'inline_secret',
    );
    expect(gaps.map((gap) => / at (\S+);/.exec(gap.detail)?.[1])).toEqual(paths);
    expect(JSON.stringify(gaps)).not.toContain(SECRET);
  });

  it('secret environment variables come after the nodes, before the features', () => {
    const text = app([node('x', 'http-request', { api_key: SECRET })], '', {
      features: { text_to_speech: { enabled: true } },
      environment_variables: [
        { name: 'A', value_type: 'secret', value: 'literal-number-two' },
        { name: 'B', value_type: 'secret', value: '' },
        { name: 'C', value_type: 'string', value: 'literal-number-three' },
      ],
    });
    expect(gapsOf(text)).toEqual([
      'inline_secret:x blocking',
      'inline_secret:env:A blocking',
      'parameters_not_carried:feature:text_to_speech manual',
      'proprietary_node:x blocking',
    ]);
    expect(accepted(text)).toMatchObject({ suggestions: [], summary: { credential_count: 0 } });
  });

  it('members of containers and the configuration of an app are scanned', () => {
    const inside = node('m', 'code', { password: SECRET }, { parentId: 'i' });
    expect(gapsOf(app([node('i', 'iteration'), inside]))).toContain('inline_secret:m blocking');
    expect(gapsOf(config('completion', { api_key: SECRET }))).toContain(
      'inline_secret:model_config blocking',
    );
  });

  it('a prompt that holds a literal is not carried', () => {
    const nodes = [START, node('x', 'http-request', { api_key: SECRET }), llm('a')];
    const prompt_template = [{ role: 'system', text: `Use ${SECRET}.` }];
    const text = app([...nodes.slice(0, 2), llm('a', { prompt_template })], 's>a');
    expect(gapsNaming('a', text)).toEqual(['inline_secret blocking']);
    expect(rootOf(text)).not.toHaveProperty('system_prompt');
  });
});

describe('6 lowering under the arrival rule of Dify', () => {
  it('6.8 a step that starts two others at once is a fork; exclusive arms are none', () => {
    const shape = (nodes: readonly Made[], wires: string): string[] =>
      gapsOf(app([START, ...nodes], wires)).filter((gap) => gap.startsWith('branching_shape'));
    expect(shape([llm('a'), llm('b'), llm('c')], 's>a a>b a>c')).toEqual([
      'branching_shape:a blocking',
    ]);
    const x = node('x', 'if-else');
    expect(shape([llm('a'), x, llm('b'), llm('c')], 's>a a>x x:true>b x:false>c')).toEqual([]);
    expect(shape([llm('a'), x, llm('b'), llm('c')], 's>a a>x x:true>b x:true>c')).toEqual([
      'branching_shape:a blocking',
    ]);
    expect(shape([llm('a'), llm('b')], 's>a s>b a>b')).toEqual([]);
  });

  it('13 the same text gives the same outcome', () => {
    const text = app([START, llm('a'), node('x', 'if-else')], 's>a a>x x:true>a');
    expect(run(text)).toEqual(run(text));
  });
});
