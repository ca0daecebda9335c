import { describe, expect, it } from 'vitest';
import {
  accepted,
  app,
  config,
  gapsNaming,
  gapsOf,
  llm,
  node,
  PLAIN,
  run,
  START,
} from './testing/dify-exports.ts';

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
