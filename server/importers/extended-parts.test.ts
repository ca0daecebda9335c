import { describe, expect, it, vi } from 'vitest';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';
import {
  AGENT,
  convert,
  type Element,
  kindsOf,
  SET,
  start,
  workflowsOf,
} from './testing/extended-exports.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);

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
