import { describe, expect, test } from 'vitest';
import { A, findingsOf, graph, M, N, steps } from './testing/fragments.ts';

describe('spec-v1 6: every finding with its path', () => {
  const rows: [name: string, fragment: string, wanted: string[]][] = [
    ['family 1', steps(`${A}, ${A}`), ['E_STEP_DUPLICATE_ID workflow.steps[1].id']],
    [
      '',
      steps('{id: a, kind: agent, ref: a, on_error: fallback}'),
      ['E_STEP_FALLBACK_REF workflow.steps[0].fallback_ref'],
    ],
    [
      'a fallback counts with any on_error',
      steps('{id: a, kind: agent, ref: a, fallback_ref: z}'),
      ['E_STEP_FALLBACK_UNKNOWN workflow.steps[0].fallback_ref'],
    ],
    [
      'human and disabled at once',
      steps(
        '{id: a, kind: agent, ref: a, on_error: fallback, fallback_ref: h}, {id: h, kind: human, ref: h, enabled: no}',
      ),
      [
        'E_STEP_FALLBACK_HUMAN workflow.steps[0].fallback_ref',
        'W_STEP_FALLBACK_DISABLED workflow.steps[0].fallback_ref',
      ],
    ],
    [
      'component workflows after the root one',
      `${steps('{id: a, kind: agent, ref: z}')}components: {workflows: {w: {type: sequential, steps: [${A}, ${A}]}}}`,
      [
        'E_STEP_AGENT_REF workflow.steps[0].ref',
        'E_STEP_DUPLICATE_ID components.workflows.w.steps[1].id',
      ],
    ],
    [
      '',
      graph('n: {id: x, kind: agent, ref: a}'),
      ['W_GRAPH_NODE_ID_MISMATCH workflow.nodes.n.id'],
    ],
    [
      '',
      graph('n: {id: n, kind: agent, ref: a, on_error: fallback}'),
      ['E_GRAPH_NODE_FALLBACK_REF workflow.nodes.n.fallback_ref'],
    ],
    [
      '',
      graph('n: {id: n, kind: agent, ref: a, fallback_ref: z}'),
      ['E_GRAPH_NODE_FALLBACK_UNKNOWN workflow.nodes.n.fallback_ref'],
    ],
    [
      'disabled and human at once',
      graph(
        'n: {id: n, kind: agent, ref: a, fallback_ref: h}, h: {id: h, kind: human, ref: h, enabled: no}',
      ),
      [
        'E_GRAPH_NODE_FALLBACK_DISABLED workflow.nodes.n.fallback_ref',
        'E_GRAPH_FALLBACK_HUMAN workflow.nodes.n.fallback_ref',
      ],
    ],
    [
      'start twice over',
      graph(M),
      ['E_GRAPH_START_UNKNOWN workflow.start', 'E_GRAPH_START workflow.start'],
    ],
    [
      '',
      graph('n: {id: n, kind: agent, ref: a, enabled: no}'),
      ['E_GRAPH_START_DISABLED workflow.start'],
    ],
    [
      'sorted by key',
      graph(
        `z: {id: z, kind: agent, ref: a}, ${N}, ${M}, idle: {id: idle, kind: agent, ref: a, enabled: no}`,
      ),
      ['W_GRAPH_NODE_UNREACHABLE workflow.nodes.m', 'W_GRAPH_NODE_UNREACHABLE workflow.nodes.z'],
    ],
    ['a fallback reaches', graph(`n: {id: n, kind: agent, ref: a, fallback_ref: m}, ${M}`), []],
    [
      'a disabled node blocks the way',
      graph(
        `${N}, idle: {id: idle, kind: agent, ref: a, enabled: no}, ${M}`,
        '{from: n, to: idle}, {from: idle, to: m}',
      ),
      ['W_GRAPH_NODE_UNREACHABLE workflow.nodes.m'],
    ],
    [
      '',
      `workflow: {type: concurrent, participants: [${A}, ${A}]}`,
      ['E_PARTICIPANT_DUPLICATE_ID workflow.participants[1].id'],
    ],
    [
      '',
      'workflow: {type: handoff, participants: [{id: a, kind: agent, ref: a, fallback_ref: a}]}',
      ['E_PARTICIPANT_FALLBACK_UNSUPPORTED workflow.participants[0].fallback_ref'],
    ],
    [
      '',
      'workflow: {type: concurrent, participants: [{id: x, kind: human, ref: h}, {id: y, kind: human, ref: h}]}',
      ['E_ORCHESTRATION_MULTI_HUMAN_UNSUPPORTED workflow.participants'],
    ],
    [
      'a disabled human does not count',
      'workflow: {type: concurrent, participants: [{id: x, kind: human, ref: h}, {id: y, kind: human, ref: h, enabled: "off"}]}',
      [],
    ],
    [
      '',
      `workflow: {type: handoff, participants: [${A}], selector: {sequence: [a, z]}}`,
      ['E_HANDOFF_SELECTOR_REF workflow.selector.sequence[1]'],
    ],
    [
      '',
      `workflow: {type: group_chat, participants: [${A}], rounds: 0}`,
      ['E_GROUP_CHAT_ROUNDS workflow.rounds'],
    ],
    [
      'per step',
      steps(
        '{id: 1a, kind: agent, ref: z}, {id: b, kind: function, ref: z}, {id: c, kind: human, ref: z}, {id: d, kind: workflow, ref: z}, {id: e, kind: guardrail, ref: z}',
      ),
      [
        'E_STEP_AGENT_REF workflow.steps[0].ref',
        'E_STEP_FUNCTION_REF workflow.steps[1].ref',
        'E_STEP_HUMAN_REF workflow.steps[2].ref',
        'E_STEP_WORKFLOW_REF workflow.steps[3].ref',
        'E_STEP_AGENT_REF workflow.steps[4].ref',
      ],
    ],
    [
      'disabled steps are checked too',
      steps(`${A}, {id: b, kind: agent, ref: z, enabled: no}`),
      ['E_STEP_AGENT_REF workflow.steps[1].ref'],
    ],
    [
      'names of prototypes are names',
      steps('{id: a, kind: agent, ref: constructor}'),
      ['E_STEP_AGENT_REF workflow.steps[0].ref'],
    ],
    [
      '',
      'components: {workflows: {w: {type: sequential, steps: [{id: a, kind: workflow, ref: w}]}}}',
      ['E_STEP_WORKFLOW_SELF_REF components.workflows.w.steps[0].ref', 'E_BUILD_CYCLE components'],
    ],
    [
      'a disabled step may refer to itself in a build',
      'components: {workflows: {w: {type: sequential, steps: [{id: a, kind: workflow, ref: w, enabled: no}]}}}',
      ['E_STEP_WORKFLOW_SELF_REF components.workflows.w.steps[0].ref'],
    ],
    [
      'nested humans over two levels',
      `${steps('{id: a, kind: workflow, ref: v}')}components: {workflows: {v: {type: sequential, steps: [{id: b, kind: workflow, ref: w}]}, w: {type: handoff, participants: [{id: c, kind: human, ref: h}]}}}`,
      [
        'E_STEP_WORKFLOW_NESTED_HUMAN workflow.steps[0].ref',
        'E_STEP_WORKFLOW_NESTED_HUMAN components.workflows.v.steps[0].ref',
      ],
    ],
  ];
  const named = rows.map(([name, ...row]) => [name || (row[1][0] ?? ''), ...row] as const);
  test.each(named)('%s', (_, fragment, wanted) => {
    expect(findingsOf(fragment)).toEqual(wanted);
  });
});
