import { describe, expect, it } from 'vitest';
import { n8nExport, n8nNode as node, type SampleNode } from '../../test/support/n8n-export.ts';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';

function convert(nodes: readonly SampleNode[], wires: string): Analysis {
  const outcome = analyze({ source: 'n8n', raw: n8nExport(nodes, wires), conversion: 'strict' });
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
  return outcome;
}

/** Ids of the gaps that are about the shape of the flow, in order. */
function shapeGaps(outcome: Analysis): string[] {
  const kinds = ['branching_shape', 'unbounded_loop', 'divergent_entry', 'unreachable_from_entry'];
  return outcome.gaps.filter((gap) => kinds.includes(gap.kind)).map((gap) => gap.gap_id);
}

/** The edges of a graph draft as `from>to label`; the steps of a sequential one. */
function flowOf({ spec }: Analysis): string[] {
  const workflow = spec['workflow'] as
    | { steps?: { id: string }[]; edges?: { from: string; to: string; label?: string }[] }
    | undefined;
  const edges = workflow?.edges?.map(({ from, to, label }) =>
    label === undefined ? `${from}>${to}` : `${from}>${to} ${label}`,
  );
  return edges ?? workflow?.steps?.map((step) => step.id) ?? [];
}

const T = node('T', 'manualTrigger');
const U = node('U', 'webhook');
const agents = (names: string): SampleNode[] =>
  [...names].map((name) => node(name, 'lc:agent', { promptType: 'define' }));
const sets = (names: string): SampleNode[] => [...names].map((name) => node(name, 'set'));
const loop = (name: string, parameters: object = {}): SampleNode =>
  node(name, 'splitInBatches', parameters, { typeVersion: 3 });
const cases = { rules: { values: [{}, {}] } };
const chooser = (name: string): SampleNode => node(name, 'switch', cases, { typeVersion: 3 });

/** Nodes, wires, family, flow, gaps of the shape. */
type Case = [string, SampleNode[], string, string | null, string[], string[]];

const CASES: Case[] = [
  // 6.5
  [
    '6.5 what is no step is crossed once for each start',
    [T, ...agents('AB'), ...sets('XYZ')],
    'T>A A>X A>Y X>Z Y>Z Z>B',
    'graph',
    ['a>b'],
    ['branching_shape:a'],
  ],
  [
    '6.5 labels are joined on the way',
    [T, ...agents('AB'), chooser('X'), chooser('Y')],
    'T>A A>X X:1>Y Y:1>B',
    'graph',
    ['a>b 1/1'],
    ['branching_shape:a'],
  ],
  [
    '6.5 a node that is off passes its first output',
    [T, ...agents('AB'), node('X', 'if', {}, { disabled: true })],
    'T>A A>X X>B',
    'sequential',
    ['a', 'b'],
    [],
  ],
  [
    '6.5 an entry that is fed is no start',
    [T, U, ...agents('AB')],
    'T>A A>U U>B',
    'sequential',
    ['a', 'b'],
    ['divergent_entry:t', 'divergent_entry:u'],
  ],
  [
    '6.5 the first connection decides between entries, not their place in the file',
    [T, U, ...agents('AB')],
    'U>B T>A',
    'graph',
    [],
    ['divergent_entry:t', 'divergent_entry:u', 'branching_shape:a'],
  ],
  [
    '6.5 without a root the first step starts',
    [...agents('AB')],
    'A>B B>A',
    'graph',
    ['a>b', 'b>a'],
    ['unbounded_loop:a'],
  ],
  // 6.6
  [
    '6.6 a branch beside the flow makes a graph',
    [T, ...agents('A'), node('X', 'if')],
    'T>A',
    'graph',
    [],
    [],
  ],
  [
    '6.6 a loop without a step is told with its limit',
    [T, loop('L'), ...sets('X')],
    'T>L L:1>X X>L',
    null,
    [],
    ['branching_shape:l', 'unbounded_loop:l'],
  ],
  [
    '6.6 a fork around a single step',
    [T, ...agents('A'), ...sets('XY')],
    'T>X T>Y X>A Y>A',
    'graph',
    [],
    ['branching_shape:t'],
  ],
  [
    '6.6 a step that feeds itself',
    [T, ...agents('A')],
    'T>A A>A',
    'graph',
    ['a>a'],
    ['unbounded_loop:a'],
  ],
  [
    '6.6 a fork to one step and to nothing is none',
    [T, ...agents('AB'), ...sets('X')],
    'T>A A>B A>X',
    'sequential',
    ['a', 'b'],
    [],
  ],
  [
    '6.6 two first steps are no chain',
    [T, ...agents('AB')],
    'T>A',
    'graph',
    [],
    ['unreachable_from_entry:b', 'branching_shape:b'],
  ],
  [
    '6.6 a fork outside of the steps that meets nothing twice and whose targets are not all reached',
    [T, ...agents('AB'), ...sets('XYZ')],
    'T>X X>Y X>Z Y>A Z>B A>B',
    'graph',
    ['a>b'],
    ['branching_shape:x'],
  ],
  // 6.7
  [
    '6.7 one edge for each pair, the first',
    [T, ...agents('AB'), chooser('X')],
    'T>A A>X X>B X:1>B',
    'graph',
    ['a>b 0'],
    [],
  ],
  [
    '6.7 a second way between the same steps counts no decisions',
    [T, ...agents('AB'), chooser('X'), chooser('Y')],
    'T>A A>X X>B X:1>Y Y>B',
    'graph',
    ['a>b 0'],
    [],
  ],
  [
    '6.7 an error output is a decision',
    [
      T,
      ...agents('A').map((a) => ({ ...a, onError: 'continueErrorOutput' })),
      ...agents('B'),
      chooser('X'),
    ],
    'T>A A:1>X X:1>B',
    'graph',
    ['a>b error/1'],
    ['branching_shape:a'],
  ],
  [
    '6.7 a limit in the options of a loop is none',
    [T, ...agents('A'), loop('L', { options: { max_steps: 4 } })],
    'T>L L:1>A A>L',
    'graph',
    ['a>a 1'],
    ['branching_shape:l', 'unbounded_loop:l'],
  ],
  // 6.8
  [
    '6.8 a fork of a step is told even if it leads to one step twice',
    [T, ...agents('AB'), ...sets('X')],
    'T>A A>X A>B X>B',
    'graph',
    ['a>b'],
    ['branching_shape:a'],
  ],
  [
    '6.8 outputs of a decision are no fork',
    [T, ...agents('ABC'), chooser('X')],
    'T>A A>X X>B X:1>C',
    'graph',
    ['a>b 0', 'a>c 1'],
    [],
  ],
  [
    '6.8 one output of a decision may fork',
    [T, ...agents('ABC'), chooser('X')],
    'T>A A>X X>B X>C',
    'graph',
    ['a>b', 'a>c'],
    ['branching_shape:x'],
  ],
  [
    '6.8 the error output fires by itself',
    [T, ...agents('A').map((a) => ({ ...a, onError: 'continueErrorOutput' })), ...agents('BC')],
    'T>A A>B A:1>C',
    'graph',
    ['a>b 0', 'a>c error'],
    [],
  ],
  [
    '6.8 outputs that are not declared fire with the others',
    [T, ...agents('BC'), ...sets('X')],
    'T>X X>B X:1>C',
    'graph',
    [],
    ['branching_shape:c'],
  ],
  // 6.9
  [
    '6.9 a cycle of steps is told at its first step',
    [T, ...agents('AB')],
    'T>B B>A A>B',
    'graph',
    ['a>b', 'b>a'],
    ['unbounded_loop:a'],
  ],
  [
    '6.9 a cycle that no start of the draft reaches is not',
    [T, ...agents('ABC')],
    'T>A B>C C>B',
    'graph',
    ['b>c', 'c>b'],
    ['unreachable_from_entry:b', 'unreachable_from_entry:c', 'branching_shape:b'],
  ],
  [
    '6.9 a group that holds a loop is left out whole',
    [T, ...agents('AB'), loop('L')],
    'T>L L:1>A A>B B>A B>L',
    'graph',
    ['a>b', 'b>a'],
    ['branching_shape:l', 'branching_shape:b', 'unbounded_loop:l'],
  ],
  [
    '6.9 a cycle without steps is told when a trigger reaches it',
    [T, ...sets('XY')],
    'T>X X>Y Y>X',
    null,
    [],
    ['branching_shape:x'],
  ],
  ['6.9 … and not when none does', [T, ...sets('XY')], 'X>Y Y>X', null, [], []],
  [
    '6.9 a cycle through the trigger is told at its first node',
    [T, ...sets('XY')],
    'T>X X>Y Y>T',
    null,
    [],
    ['branching_shape:x'],
  ],
  // 6.10
  [
    '6.10 groups by what feeds them',
    [T, ...agents('ABCDE'), ...sets('X')],
    'T>A B>C X>D E>E',
    'graph',
    ['b>c', 'e>e'],
    [
      'unreachable_from_entry:b',
      'unreachable_from_entry:c',
      'unreachable_from_entry:d',
      'unreachable_from_entry:e',
      'branching_shape:b',
      'branching_shape:d',
      'branching_shape:e',
    ],
  ],
];

describe('6.5 to 6.10 of the contract', () => {
  it.each(CASES)('%s', (_what, nodes, wires, family, flow, gaps) => {
    const outcome = convert(nodes, wires);
    expect(outcome.summary.workflow_family).toBe(family);
    expect(flowOf(outcome)).toEqual(flow);
    expect(shapeGaps(outcome)).toEqual(gaps);
  });
});

describe('4.1, 4.4 and 4.5: what stands beside the flow', () => {
  const MODEL = node('M', 'lc:lmChatAnthropic', { model: 'claude' });
  const gaps = (nodes: readonly SampleNode[], wires: string): string[] =>
    convert(nodes, wires).gaps.map((gap) => gap.gap_id);

  it('a main link from a model is read, and starts nothing', () => {
    const nodes = [T, ...agents('A'), MODEL, ...sets('X')];
    const outcome = convert(nodes, 'T>A M-ai_languageModel>A M>X X>A');
    expect(outcome.summary.edge_count).toBe(2);
    expect(flowOf(outcome)).toEqual(['a']);
  });

  it.each<[string, SampleNode, string]>([
    ['a note', node('N', 'stickyNote'), ''],
    ['a memory', node('N', 'lc:memoryBufferWindow'), 'N-ai_memory>A'],
    ['a trigger', node('N', 'webhook'), ''],
    ['a node that is off, on a wire', node('N', 'lc:agent', {}, { disabled: true }), 'A>N'],
  ])('a tool that is offered to %s is offered, but not bound', (_what, target, more) => {
    const tool = node('X', 'lc:toolCode');
    const nodes = [T, ...agents('A'), tool, target];
    const named = gaps(nodes, `T>A X-ai_tool>N ${more}`).filter((id) => id.endsWith(':x'));
    expect(named).toEqual(['offered_tool_not_bound:x']);
  });

  it.each<[string, SampleNode, string]>([
    ['a model inside of its agent', MODEL, 'M-ai_languageModel>A'],
    ['a node that is off, beside the flow', node('M', 'lc:agent', {}, { disabled: true }), ''],
  ])('a tool that is offered to %s is offered to nothing', (_what, target, more) => {
    const nodes = [T, ...agents('A'), node('X', 'lc:toolCode'), target];
    const named = gaps(nodes, `T>A X-ai_tool>M ${more}`).filter((id) => id.endsWith(':x'));
    expect(named).toEqual(['deterministic_tool:x']);
  });

  it('the same tool offered twice to one agent is one gap, to two agents two', () => {
    const nodes = [T, ...agents('AB'), node('X', 'lc:toolCode')];
    const count = (wires: string): number =>
      gaps(nodes, wires).filter((id) => id.startsWith('tool_without_backing')).length;
    expect(count('X-ai_tool>A X:1-ai_tool>A')).toBe(1);
    expect(count('X-ai_tool>A X-ai_tool>B')).toBe(2);
  });

  it('a folded model is stranded by losses of the node pass only', () => {
    const stranded = (a: SampleNode, wires: string, more: SampleNode[] = []): boolean =>
      gaps([T, a, MODEL, ...more], `T>A M-ai_languageModel>A ${wires}`).includes(
        'proprietary_node:m',
      );
    const plain = node('A', 'lc:agent', { promptType: 'define' });
    expect(stranded(plain, '')).toBe(false);
    expect(stranded({ ...plain, typeVersion: 9 }, '')).toBe(true);
    expect(stranded({ ...plain, parameters: { apiKey: 'abcDEF123456' } }, '')).toBe(true);
    // Losses of the passes after it: an output that is not declared, a run-time setting, a reason
    // for which the agent cannot run.
    expect(stranded(plain, 'A:3>T')).toBe(false);
    expect(stranded({ ...plain, executeOnce: true }, '')).toBe(false);
    expect(stranded(node('A', 'lc:agent', { agent: 'openAiFunctionsAgent' }), '')).toBe(false);
  });

  it('the passes stand in their order, whatever the order of the file', () => {
    const nodes = [
      node('S', 'switch', { ...cases, options: { allMatchingOutputs: true } }, { typeVersion: 3 }),
      node('A', 'lc:agent', { text: 'x', systemMessage: 'y' }, { onError: 'continueErrorOutput' }),
      node('P', 'lc:memoryBufferWindow'),
      node('O', 'set', {}, { disabled: true }),
      node('M', 'lc:lmChatAnthropic', { model: 'claude' }, { typeVersion: 7 }),
      T,
    ];
    const wires = 'A:2>S A:1>S A>S S>A S:1>A P-ai_memory>A M-ai_languageModel>A T>A';
    expect(gaps(nodes, wires)).toEqual([
      'deactivated_node:o',
      'proprietary_node:m',
      'memory:p',
      'parameters_not_carried:a',
      'error_route_not_carried:a',
      'parameters_not_carried:a#2',
      'parameters_not_carried:a#3',
      'branching_shape:s',
      'source_cannot_run:a',
      'entry_mechanism_not_carried:t',
      'expression:s',
      'parameters_not_carried:a#4',
      'unbounded_loop:a',
    ]);
  });
});
