import { describe, expect, it } from 'vitest';
import {
  type SampleNode as Made,
  n8nNode as node,
  n8nExport as raw,
} from '../../test/support/n8n-export.ts';
import {
  accepted,
  agent,
  CHAT,
  convert,
  gapsNaming,
  gapsOf,
  MODEL,
  MODELLED,
  run,
} from '../../test/support/strict-n8n.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { AnalyzeOutcome } from './analysis.ts';

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
