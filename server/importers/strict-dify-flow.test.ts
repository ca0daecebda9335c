import { describe, expect, it } from 'vitest';
import {
  accepted,
  app,
  config,
  gapsNaming,
  gapsOf,
  llm,
  type Made,
  node,
  rootOf,
  run,
  START,
} from './testing/dify-exports.ts';

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
