import { describe, expect, it } from 'vitest';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';

const AGENT = '@n8n/n8n-nodes-langchain.agent';
const SET = 'n8n-nodes-base.set';
const TRIGGER = 'n8n-nodes-base.manualTrigger';

interface Element {
  readonly type?: string;
  readonly version?: number;
  readonly parameters?: object;
  readonly onError?: string;
  /** Targets by output. */
  readonly to?: readonly (readonly string[])[];
}

function convert(elements: Readonly<Record<string, Element>>): Analysis {
  const nodes = Object.entries(elements).map(([name, element], i) => ({
    id: `id-${i}`,
    name,
    type: element.type ?? 'n8n-nodes-base.slack',
    typeVersion: element.version ?? 1,
    parameters: element.parameters ?? {},
    onError: element.onError ?? null,
    position: [i * 200, 0],
  }));
  const connections: Record<string, object> = {};
  for (const [name, { to }] of Object.entries(elements)) {
    if (to === undefined) continue;
    connections[name] = {
      main: to.map((port) => port.map((node) => ({ node, type: 'main', index: 0 }))),
    };
  }
  const raw = JSON.stringify({ nodes, connections });
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

function kindsOf(outcome: Analysis, name: string): string[] {
  const gaps = outcome.gaps.filter((gap) => gap.source_ref.source_label === name);
  return gaps.map((gap) => `${gap.severity} ${gap.kind}`);
}

/** A decision that cannot be carried. */
const UNDECIDED: Element = {
  type: 'n8n-nodes-base.if',
  version: 2,
  parameters: {
    conditions: {
      combinator: 'and',
      conditions: [
        {
          leftValue: '={{ $json.status }}',
          rightValue: 'done',
          operator: { type: 'string', operation: 'equals' },
        },
      ],
    },
  },
};

function workflowsOf(outcome: Analysis): Record<string, unknown> {
  return (outcome.spec['components'] as { workflows: Record<string, unknown> }).workflows;
}

const start: Element = { type: TRIGGER, to: [['a']] };

describe('forks (importers 14)', () => {
  it('whose arms meet two by two are written from the inside out', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b', 'c', 'd']] },
      a: { to: [['ab']] },
      b: { to: [['ab']] },
      c: { to: [['cd']] },
      d: { to: [['cd']] },
      ab: { to: [['all']] },
      cd: { to: [['all']] },
      all: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    const workflows = (outcome.spec['components'] as { workflows: Record<string, unknown> })
      .workflows;
    const concurrent = Object.values(workflows).filter(
      (body) => (body as { type: string }).type === 'concurrent',
    );
    expect(concurrent).toHaveLength(3);
  });

  it('whose arms all lead to the same two steps give both what every arm gave', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b']] },
      a: { to: [['x', 'y']] },
      b: { to: [['x', 'y']] },
      x: { to: [['end']] },
      y: { to: [['end']] },
      end: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
  });

  it('with an arm that goes back into the loop keep the loop', () => {
    const outcome = convert({
      start,
      a: { type: 'n8n-nodes-base.splitInBatches', version: 3, to: [['done'], ['b']] },
      b: { to: [['side', 'a']] },
      side: {},
      done: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(outcome.spec['workflow']).toMatchObject({ type: 'graph' });
  });

  it('with two ways to one step are one way; a step that would run twice is told', () => {
    const outcome = convert({
      start,
      a: { to: [['join', 'join']] },
      join: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    });
    expect(kindsOf(outcome, 'a')).toEqual(['blocking proprietary_node']);
    const told = convert({
      start,
      a: { to: [['pass', 'b']] },
      pass: { type: 'n8n-nodes-base.noOp', to: [['b']] },
      b: {},
    });
    expect(kindsOf(told, 'a')).toEqual(['blocking proprietary_node', 'manual carried_as']);
    expect(told.spec['workflow']).toMatchObject({ type: 'sequential' });
  });

  it('with a timed pause in an arm have a function in its place; the gap says so', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b']] },
      a: { type: 'n8n-nodes-base.wait', version: 1.1, parameters: { amount: 5 }, to: [['end']] },
      b: { to: [['end']] },
      end: {},
    });
    expect(kindsOf(outcome, 'a')).toEqual(['blocking proprietary_node']);
    const alone = convert({
      start,
      a: { type: 'n8n-nodes-base.wait', version: 1.1, parameters: { amount: 5 }, to: [['b']] },
      b: {},
    });
    expect(kindsOf(alone, 'a')).toEqual(['manual carried_as']);
  });

  it('that cross have their own of the steps that the source runs for each of them', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b']] },
      a: { to: [['x', 'y']] },
      b: { to: [['y']] },
      x: {},
      y: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    const said = outcome.gaps.filter((gap) => gap.detail.includes('stands in each arm'));
    expect(said.map((gap) => `${gap.severity} ${gap.source_ref.source_label}`)).toEqual([
      'manual start',
    ]);
    const text = JSON.stringify(workflowsOf(outcome));
    expect(text.match(/"ref":"y"/g)).toHaveLength(2);
    expect(text.match(/"ref":"x"/g)).toHaveLength(1);
  });

  it('that cross in a step that waits for all of them, behind a decision, stay blocking', () => {
    const outcome = convert({
      start: { type: TRIGGER, to: [['a', 'b', 'c']] },
      a: { ...UNDECIDED, to: [['x', 'y']] },
      b: { ...UNDECIDED, to: [['y']] },
      c: { to: [['y']] },
      x: {},
      y: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    });
    expect(kindsOf(outcome, 'start')).toContain('blocking branching_shape');
  });

  it('with a way to where another arm leads anyway go there once, after that arm', () => {
    const outcome = convert({
      start,
      a: { to: [['b', 'join']] },
      b: { to: [['c', 'join']] },
      c: { to: [['d']] },
      d: {},
      join: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(kindsOf(outcome, 'a')).toContain('manual carried_as');
    expect(outcome.spec['workflow']).toMatchObject({
      type: 'sequential',
      steps: [{ ref: 'a' }, { ref: 'b' }, { kind: 'workflow' }],
    });
  });

  it('with one arm that decides before they meet have that arm last', () => {
    const elements = {
      start,
      a: { to: [['b', 'c']] },
      b: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [['join'], ['stop']] },
      stop: { type: 'n8n-nodes-base.stopAndError' },
      c: { to: [['join']] },
      join: { type: 'n8n-nodes-base.merge', version: 3, parameters: { mode: 'combine' } },
    };
    const outcome = convert(elements);
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(kindsOf(outcome, 'ready')).toEqual(['blocking expression']);
    expect(outcome.spec['workflow']).toMatchObject({
      edges: [
        { from: 'a', to: 'c' },
        { from: 'b', to: 'join' },
        { from: 'c', to: 'b' },
      ],
    });
    const quiet = convert({ ...elements, stop: { type: 'n8n-nodes-base.noOp' } });
    expect(kindsOf(quiet, 'a')).toContain('blocking branching_shape');
  });

  it('inside of a loop that meet again keep the loop', () => {
    const outcome = convert({
      start,
      a: { type: 'n8n-nodes-base.splitInBatches', version: 3, to: [['done'], ['b']] },
      b: { to: [['x', 'y']] },
      x: { to: [['join']] },
      y: { to: [['join']] },
      join: { to: [['a']] },
      done: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(Object.keys(workflowsOf(outcome))).toEqual(['after_b']);
  });

  it('with an arm that waits for a person before they meet have that arm last', () => {
    const outcome = convert({
      start,
      a: { to: [['ask', 'c']] },
      ask: {
        type: 'n8n-nodes-base.slack',
        parameters: { operation: 'sendAndWait' },
        to: [['join']],
      },
      c: { to: [['join']] },
      join: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    expect(outcome.spec['workflow']).toMatchObject({
      type: 'sequential',
      steps: [{ ref: 'a' }, { ref: 'c' }, { ref: 'ask', kind: 'human' }, { ref: 'join' }],
    });
  });
});

describe('loops (importers 14)', () => {
  it('over batches are one blocking gap: the function that hands them out', () => {
    const outcome = convert({
      start,
      a: { type: 'n8n-nodes-base.splitInBatches', version: 3, to: [['done'], ['b']] },
      b: { to: [['a']] },
      done: {},
    });
    expect(kindsOf(outcome, 'a')).toEqual(['blocking proprietary_node']);
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(false);
  });

  it('that a condition to be written ends are told by the gap of that condition', () => {
    const outcome = convert({
      start,
      a: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [['end'], ['b']] },
      b: { to: [['a']] },
      end: {},
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(false);
    expect(kindsOf(outcome, 'ready')).toEqual(['blocking expression']);
    const [gap] = outcome.gaps.filter((g) => g.source_ref.source_label === 'ready');
    expect(gap?.detail).toContain('ends the circle "ready" → "b" → "a"');
    expect(gap?.detail).toContain('max_steps');
  });

  it('are told there also when nothing stands on the way out', () => {
    const outcome = convert({
      start,
      a: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [[], ['a']] },
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(false);
    expect(kindsOf(outcome, 'ready')).toEqual(['blocking expression']);
  });

  it('that a carried condition ends lack their limit', () => {
    const outcome = convert({
      start,
      a: { type: AGENT, version: 2, to: [['ready']] },
      ready: {
        ...UNDECIDED,
        parameters: {
          conditions: {
            combinator: 'and',
            conditions: [
              {
                leftValue: '={{ $json.output }}',
                rightValue: 'done',
                operator: { type: 'string', operation: 'contains' },
              },
            ],
          },
        },
        to: [['end'], ['a']],
      },
      end: {},
    });
    expect(kindsOf(outcome, 'ready')).toEqual(['info condition_translated']);
    expect(kindsOf(outcome, 'a')).toContain('blocking unbounded_loop');
  });

  it('that a decision only passes through lack their limit', () => {
    const outcome = convert({
      start,
      a: { to: [['ready']] },
      ready: { ...UNDECIDED, to: [['b'], ['c']] },
      b: { to: [['a']] },
      c: { to: [['a']] },
    });
    expect(outcome.gaps.some((gap) => gap.kind === 'unbounded_loop')).toBe(true);
  });

  it('that stand in each other are told one by one', () => {
    const outcome = convert({
      start,
      a: { to: [['inner']] },
      inner: { ...UNDECIDED, to: [['b'], ['a']] },
      b: { to: [['c']] },
      c: { to: [['b', 'outer']] },
      outer: { ...UNDECIDED, to: [['end'], ['a']] },
      end: {},
    });
    const told = outcome.gaps.filter((gap) => gap.detail.includes('ends the circle'));
    expect(told.map((gap) => gap.source_ref.source_label)).toEqual(['inner', 'outer']);
    const unbounded = outcome.gaps.filter((gap) => gap.kind === 'unbounded_loop');
    expect(unbounded).toHaveLength(1);
    expect(unbounded[0]?.detail).toContain('"b", "c"');
  });

  it('by a plain way back are blocking until somebody chooses a limit', () => {
    const outcome = convert({ start, a: { to: [['b']] }, b: { to: [['a']] } });
    const unbounded = outcome.gaps.filter((gap) => gap.kind === 'unbounded_loop');
    expect(unbounded.map((gap) => gap.severity)).toEqual(['blocking']);
  });
});

describe('conditions (importers 14)', () => {
  const answers = (operation: string, rightValue: string) => ({
    conditions: {
      combinator: 'and',
      conditions: [
        { leftValue: '={{ $json.output }}', rightValue, operator: { type: 'string', operation } },
      ],
    },
  });
  const agent: Element = { type: AGENT, version: 2 };

  function edgesAfter(
    decision: Element,
    before: Element = { ...agent, to: [['d']] },
  ): { to: unknown; condition: unknown }[] | undefined {
    const outcome = convert({ start, a: before, d: decision, x: {}, y: {}, z: {} });
    const workflow = outcome.spec['workflow'] as { edges?: { to: unknown; condition: unknown }[] };
    return workflow.edges?.map(({ to, condition }) => ({ to, condition }));
  }

  const equals = (value: string) => ({ type: 'output_equals', value, case_sensitive: true });
  const rules = [answers('equals', 'a'), answers('equals', 'b')];
  const switched = (more: object): Element => ({
    type: 'n8n-nodes-base.switch',
    version: 3,
    parameters: { rules: { values: rules }, ...more },
    to: [['x'], ['y'], ['z']],
  });
  const otherwise = {
    type: 'not',
    condition: { type: 'any_of', conditions: [equals('a'), equals('b')] },
  };

  it('of a switch: what no rule meets goes to its fallback', () => {
    expect(edgesAfter(switched({ options: { fallbackOutput: 'extra' } }))).toEqual([
      { to: 'x', condition: equals('a') },
      { to: 'y', condition: equals('b') },
      { to: 'z', condition: otherwise },
    ]);
    expect(edgesAfter(switched({ options: { fallbackOutput: 1 } }))?.[1]).toEqual({
      to: 'y',
      condition: { type: 'any_of', conditions: [equals('b'), otherwise] },
    });
  });

  it('of a switch of the first version: a rule names its output, the others are never taken', () => {
    const text = (value2: string, output: number) => ({ value2, output });
    const first = (list: object[]): Element => ({
      type: 'n8n-nodes-base.switch',
      version: 1,
      parameters: {
        ...{ dataType: 'string', value1: '={{ $json.output }}', fallbackOutput: 0 },
        rules: { rules: list },
      },
      to: [['x'], ['y'], ['z']],
    });
    expect(edgesAfter(first([text('a', 0), text('b', 2)]))).toEqual([
      { to: 'x', condition: { type: 'any_of', conditions: [equals('a'), otherwise] } },
      { to: 'y', condition: { type: 'never' } },
      { to: 'z', condition: equals('b') },
    ]);
    const always = { type: 'always' };
    expect(edgesAfter(first([text('a', 2), text('b', 0)]))?.[0]?.condition).toEqual(always);
  });

  it('are left to the author when it is computed, switched off or a failure what they look at', () => {
    const always = [{ type: 'always' }, { type: 'always' }];
    const choose: Element = {
      type: 'n8n-nodes-base.if',
      version: 2,
      parameters: answers('contains', 'yes'),
      to: [['x'], ['y']],
    };
    const of = (before?: Element) => edgesAfter(choose, before)?.map((edge) => edge.condition);
    expect(of()).not.toEqual(always);
    const computed = switched({ mode: 'expression', numberOutputs: 3, output: '={{ $json.n }}' });
    expect(edgesAfter(computed)?.map((edge) => edge.condition)).toEqual([...always, always[0]]);
    const failing: Element = { ...agent, onError: 'continueErrorOutput', to: [['z'], ['d']] };
    expect(JSON.stringify(of(failing))).not.toContain('output_contains');
  });

  it('beside other arms stand after a function that passes its input on', () => {
    const outcome = convert({
      start,
      a: { ...agent, to: [['d', 'z']] },
      d: {
        type: 'n8n-nodes-base.if',
        version: 2,
        parameters: answers('contains', 'yes'),
        to: [['x'], ['y']],
      },
      x: {},
      y: {},
      z: {},
    });
    expect(kindsOf(outcome, 'd')).toEqual([
      'info condition_translated',
      'blocking proprietary_node',
    ]);
    expect(outcome.gaps.some((gap) => gap.kind === 'branching_shape')).toBe(false);
    const text = JSON.stringify(workflowsOf(outcome));
    expect(text).toContain('"value":"yes"');
  });
});

describe('prompts (importers 14)', () => {
  const settings: Element = {
    type: SET,
    version: 3.4,
    parameters: {
      assignments: {
        assignments: [
          { id: '1', name: 'team', value: 'Support', type: 'string' },
          { id: '2', name: 'api_key', value: 'long-and-secret-value-1', type: 'string' },
          { id: '3', name: 'when', value: '={{ $now }}', type: 'string' },
        ],
      },
    },
    to: [['b']],
  };

  function promptFor(systemMessage: string): { prompt: unknown; outcome: Analysis } {
    const outcome = convert({
      start,
      a: settings,
      b: { to: [['agent']] },
      agent: {
        type: AGENT,
        version: 2,
        parameters: { promptType: 'auto', options: { systemMessage } },
      },
    });
    const agents = (outcome.spec['components'] as { agents: Record<string, unknown> }).agents;
    return { prompt: (agents['agent'] as { system_prompt: unknown }).system_prompt, outcome };
  }

  it('get the constants of the source, wherever it sets them', () => {
    const { prompt, outcome } = promptFor("=You are in {{ $('a').first().json.team }}.");
    expect(prompt).toBe('You are in Support.');
    expect(kindsOf(outcome, 'agent')).not.toContain('blocking expression');
  });

  it('never get a secret, and show what they cannot compute', () => {
    const { prompt, outcome } = promptFor("=Use {{ $('a').item.json.api_key }} {{ $now }}");
    expect(JSON.stringify(outcome)).not.toContain('long-and-secret-value-1');
    expect(prompt).toBe("Use [$('a').item.json.api_key] [$now]");
    expect(kindsOf(outcome, 'agent')).toContain('blocking expression');
  });

  it('leave out what only passes the step before on', () => {
    const { prompt, outcome } = promptFor("=Sum up: {{ $('b').item.json.text }}");
    expect(prompt).toBe('Sum up:');
    expect(kindsOf(outcome, 'agent')).not.toContain('blocking expression');
  });
});

describe('tools (importers 14)', () => {
  it('have the arguments that the calling model fills in', () => {
    const outcome = convert({ start, a: { type: AGENT, version: 2 } });
    expect(outcome.ok).toBe(true);
    const raw = JSON.stringify({
      nodes: [
        { id: '1', name: 'Agent', type: AGENT, typeVersion: 2, parameters: {} },
        {
          id: '2',
          name: 'Send',
          type: 'n8n-nodes-base.slackTool',
          typeVersion: 2,
          parameters: { text: "={{ $fromAI('message', 'What to say', 'string') }}" },
        },
      ],
      connections: { Send: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
    });
    const tooled = analyze({ source: 'n8n', raw, conversion: 'extended' });
    expect(tooled.ok && tooled.spec['tools']).toMatchObject({
      send: {
        parameters: {
          type: 'object',
          properties: { message: { type: 'string', description: 'What to say' } },
        },
      },
    });
  });
});
