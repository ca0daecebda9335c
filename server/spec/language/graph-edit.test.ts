import { describe, expect, test } from 'vitest';
import { GRAPH, LIST, made, step } from './testing/drawn-texts.ts';

describe('a graph edits its text', () => {
  test('a new node behind another one, its agent declared', () => {
    expect(
      made(GRAPH, {
        op: 'add_step',
        workflow: null,
        id: 'reply',
        kind: 'agent',
        ref: 'answerer',
        declare: true,
        place: { in: 'graph', after: 'tidy' },
      }),
    ).toEqual({
      text: GRAPH.replace(
        'ref: tidy}\n  edges',
        'ref: tidy}\n    reply: {id: reply, kind: agent, ref: answerer}\n  edges',
      )
        .replace('      to: tidy\n', '      to: tidy\n    - from: tidy\n      to: reply\n')
        .replace(
          '{name: writer}\n',
          '{name: writer}\n    answerer: {name: answerer, system_prompt: Say here what this agent does.}\n',
        ),
      notes: [],
      select: step('reply'),
    });
  });

  test('a new node on an edge keeps what the edge asks', () => {
    const outcome = made(GRAPH, {
      op: 'add_step',
      workflow: null,
      id: 'ask',
      kind: 'human',
      ref: 'lead',
      declare: false,
      place: { in: 'graph', on: 0 },
    });
    expect(outcome).toMatchObject({ notes: [] });
    expect('text' in outcome && outcome.text).toContain(
      '{from: sort, to: ask, condition: {type: output_contains, value: refund}, label: money}\n    - {from: ask, to: check}\n',
    );
  });

  test('an edge with a condition comes before the one that is always taken', () => {
    const outcome = made(GRAPH, {
      op: 'connect',
      from: step('sort'),
      to: step('sort'),
      condition: { type: 'output_equals', value: 'again' },
    });
    expect(outcome).toEqual({
      text: GRAPH.replace(
        '    - {from: sort, to: tidy}',
        '    - {from: sort, to: sort, condition: {type: output_equals, value: again}}\n    - {from: sort, to: tidy}',
      ),
      notes: [],
      select: step('sort'),
    });
  });

  test('an edge that is never taken is told', () => {
    const outcome = made(GRAPH, {
      op: 'connect',
      from: step('check'),
      to: step('sort'),
      condition: null,
    });
    expect(outcome).toMatchObject({ notes: [expect.stringContaining('is never taken')] });
  });

  test('retargets, conditions and labels touch their own words', () => {
    expect(
      made(GRAPH, {
        op: 'retarget',
        line: { workflow: null, edge: 2 },
        end: 'to',
        to: step('sort'),
      }),
    ).toMatchObject({ text: GRAPH.replace('      to: tidy', '      to: sort') });
    expect(
      made(GRAPH, {
        op: 'retarget',
        line: { workflow: null, fallback: 'check' },
        end: 'to',
        to: step('sort'),
      }),
    ).toMatchObject({ text: GRAPH.replace('fallback_ref: tidy', 'fallback_ref: sort') });
    expect(
      made(GRAPH, {
        op: 'set_condition',
        line: { workflow: null, edge: 1 },
        condition: { type: 'status_is', value: 'failed' },
        label: 'broken',
      }),
    ).toMatchObject({
      text: GRAPH.replace(
        'to: tidy} # else',
        'to: tidy, condition: {type: status_is, value: failed}, label: broken} # else',
      ),
    });
    expect(
      made(GRAPH, {
        op: 'set_condition',
        line: { workflow: null, edge: 0 },
        condition: null,
        label: null,
      }),
    ).toMatchObject({
      text: GRAPH.replace(', condition: {type: output_contains, value: refund}, label: money', ''),
      notes: [expect.stringContaining('is never taken')],
    });
  });

  test('a node goes with its edges, the start and the fallbacks to it, and says so', () => {
    const outcome = made(GRAPH, { op: 'delete_step', at: step('sort') });
    expect(outcome).toMatchObject({
      text: GRAPH.replace('    sort: {id: sort, kind: agent, ref: writer} # first\n', '')
        .replace('start: sort', 'start: check')
        .replace(/ {4}- \{from: sort.*\n/g, ''),
      notes: ['The workflow starts with "check" now.', '2 edges went with it.'],
    });
    expect(made(GRAPH, { op: 'delete_step', at: step('tidy') })).toMatchObject({
      notes: [
        '"check" has no fallback any more.',
        '2 edges went with it.',
        'No step uses components.functions.tidy now; it stays declared.',
      ],
    });
  });

  test('the last edge leaves an empty list', () => {
    const one = GRAPH.replace(/ {4}- \{from: sort.*\n/g, '');
    expect(made(one, { op: 'delete_line', line: { workflow: null, edge: 0 } })).toMatchObject({
      text: expect.stringContaining('edges: []\n'),
    });
  });

  test('a list: before, earlier, away, another name', () => {
    expect(
      made(LIST, {
        op: 'add_step',
        workflow: null,
        id: 'again',
        kind: 'guardrail',
        ref: 'writer',
        declare: false,
        place: { in: 'list', index: 2 },
      }),
    ).toMatchObject({
      text: LIST.replace(
        '    - {id: tidy',
        '    - {id: again, kind: guardrail, ref: writer}\n    - {id: tidy',
      ),
    });
    expect(made(LIST, { op: 'move_step', at: step(2), by: -1 })).toMatchObject({
      text: expect.stringContaining(
        '- writer # short\n    - {id: tidy, kind: function, ref: tidy}\n    # checks it\n    - id: check\n',
      ),
    });
    expect(made(LIST, { op: 'delete_step', at: step(1) })).toMatchObject({
      text: LIST.replace(/ {4}- id: check[\s\S]*max_retries: 2\n/, ''),
    });
    expect(made(LIST, { op: 'rename_step', at: step(1), name: 'proof' })).toMatchObject({
      text: LIST.replace('id: check', 'id: proof'),
    });
  });

  test('steps go into a nested workflow with their comments', () => {
    const outcome = made(LIST, {
      op: 'wrap',
      steps: [step(1), step(2)],
      name: 'finish',
      loop: null,
    });
    expect(outcome).toEqual({
      text: `version: v1
agent: {name: desk}
workflow:
  type: sequential
  steps:
    - writer # short
    # checks it
    - id: finish
      kind: workflow
      ref: finish
components:
  agents:
    writer: {name: writer}
  functions:
    tidy: {implementation: texts.tidy}
  workflows:
    finish:
      type: sequential
      name: finish
      steps:
      - id: check
        kind: agent
        ref: writer
        # inside
        max_retries: 2
      - {id: tidy, kind: function, ref: tidy}
`,
      notes: [],
      select: step(1),
    });
  });

  test('nodes go into a nested graph with the edges between them', () => {
    const outcome = made(GRAPH, {
      op: 'wrap',
      steps: [step('check'), step('tidy')],
      name: 'finish',
      loop: null,
    });
    expect(outcome).toEqual({ problem: expect.stringContaining('one start') });
    const chain = GRAPH.replace(/ {4}- \{from: sort, to: tidy.*\n/, '');
    const wrapped = made(chain, {
      op: 'wrap',
      steps: [step('check'), step('tidy')],
      name: 'finish',
      loop: { condition: { type: 'output_contains', value: 'TODO' }, rounds: 3 },
    });
    expect(wrapped).toEqual({
      text: `version: v1
agent: {name: desk} # leads
workflow:
  type: graph
  # where it begins
  start: sort
  nodes:
    # reads the mail
    sort: {id: sort, kind: agent, ref: writer} # first

    finish: {id: finish, kind: workflow, ref: finish}
  edges:
    - {from: sort, to: finish, condition: {type: output_contains, value: refund}, label: money}
components:
  agents:
    writer: {name: writer}
  functions:
    tidy: {implementation: texts.tidy}
  humans:
    lead: {description: Good?}
  workflows:
    finish:
      type: graph
      name: finish
      start: check
      max_steps: 6
      nodes:
        check:
          id: check # by hand
          kind: agent
          ref: writer
          on_error: fallback
          fallback_ref: tidy
        tidy: {id: tidy, kind: function, ref: tidy}
      edges:
      - from: check
        to: tidy
      - from: tidy
        to: check
        condition:
          type: output_contains
          value: TODO
`,
      notes: [],
      select: step('finish'),
    });
  });

  test('steps of a list run again in a loop', () => {
    const outcome = made(LIST.replace('      # inside\n', ''), {
      op: 'wrap',
      steps: [step(1), step(2)],
      name: 'again',
      loop: { condition: { type: 'status_is', value: 'failed' }, rounds: 2 },
    });
    expect(outcome).toMatchObject({
      text: expect.stringContaining(`      start: check
      max_steps: 4
      nodes:
        check:
          id: check
          kind: agent
          ref: writer
          max_retries: 2
        tidy:
          id: tidy
          kind: function
          ref: tidy
      edges:
      - from: check
        to: tidy
      - from: tidy
        to: check
        condition:
          type: status_is
          value: failed
`),
    });
    expect(
      made(LIST, {
        op: 'wrap',
        steps: [step(1), step(2)],
        name: 'again',
        loop: { condition: { type: 'always' }, rounds: 2 },
      }),
    ).toEqual({ problem: expect.stringContaining('comment') });
  });
});
