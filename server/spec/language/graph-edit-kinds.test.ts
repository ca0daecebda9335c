import { describe, expect, test } from 'vitest';
import type { GraphOperation, StepPlace } from '../edit/graph/operation.ts';
import { made, step } from './testing/drawn-texts.ts';

const COMPONENTS = `components:
  agents:
    ann: {name: ann}
  humans:
    lead: {description: Good?}
`;

function spec(workflow: string): string {
  return `version: v1\nagent: {name: desk}\nworkflow:\n${workflow}${COMPONENTS}`;
}

/** Three participants, who speak in another order than they stand, one of them twice. */
const HANDOFF = spec(`  type: handoff
  participants:
    - {id: a, kind: agent, ref: ann}
    - {id: b, kind: agent, ref: ann}
    - {id: c, kind: agent, ref: ann}
    - {id: d, kind: agent, ref: ann}
  selector:
    type: sequence
    sequence:
      - b
      - a
      - c # last word
      - b
`);

const ROUND = spec(`  type: handoff
  participants: [{id: a, kind: human, ref: lead}, {id: b, kind: agent, ref: ann}]
  selector: {type: round_robin, sequence: [b, a]}
`);

const SIDE = spec(`  type: concurrent
  participants:
    - {id: a, kind: agent, ref: ann}
    - {id: p, kind: human, ref: lead}
`);

const CHAT = SIDE.replace('concurrent', 'group-chat').replace(
  'human, ref: lead',
  'agent, ref: ann',
);

function added(id: string, place: StepPlace, kind: 'agent' | 'human' = 'agent'): GraphOperation {
  const ref = kind === 'human' ? 'lead' : 'ann';
  return { op: 'add_step', workflow: null, id, kind, ref, declare: false, place };
}

describe('what a kind of workflow cannot do is refused with the reason', () => {
  const joined = { op: 'connect', from: step(0), to: step(1), condition: null } as const;
  const cases: readonly (readonly [string, string, GraphOperation, string])[] = [
    [
      'an edge of participants side by side',
      SIDE,
      joined,
      'Participants of a concurrent workflow run side by side; nothing leads from one to another.',
    ],
    [
      'an edge of a handoff',
      HANDOFF,
      joined,
      'Who speaks next in a handoff is the order of its selector. Move a participant instead.',
    ],
    [
      'an edge of a chat',
      CHAT,
      joined,
      'In a group chat all speak in turn, in their order. Move a participant instead.',
    ],
    [
      'a second person side by side',
      SIDE,
      added('q', { in: 'list', index: 0 }, 'human'),
      'A concurrent workflow can ask one person only; two could not be waited for.',
    ],
    [
      'the turn of one who has two',
      HANDOFF,
      { op: 'move_step', at: step(1), by: 1 },
      '"b" has several turns. Change the selector\'s sequence in the text.',
    ],
    [
      'the turn of one who has none',
      HANDOFF,
      { op: 'move_step', at: step(3), by: -1 },
      '"d" has no turn in the selector\'s sequence.',
    ],
    [
      'a turn before the first',
      HANDOFF,
      { op: 'move_step', at: step(0), by: -2 },
      'It has the first turn already.',
    ],
    [
      'a turn after the last',
      HANDOFF,
      { op: 'move_step', at: step(2), by: 2 },
      'It has the last turn already.',
    ],
    [
      'a participant after the last',
      CHAT,
      { op: 'move_step', at: step(1), by: 1 },
      'It is the last one already.',
    ],
    [
      'several participants in one workflow',
      HANDOFF,
      { op: 'wrap', steps: [step(0), step(1)], name: 'x', loop: null },
      'These participants do not run one after another; wrap each by itself.',
    ],
  ];
  test.each(cases)('%s', (_name, text, operation, problem) => {
    expect(made(text, operation)).toEqual({ problem });
  });
});

describe('the turns of a handoff go along', () => {
  test('a new participant speaks before the one that it stands before', () => {
    const here = '    - {id: x, kind: agent, ref: ann}\n';
    expect(made(HANDOFF, added('x', { in: 'list', index: 2 }))).toEqual({
      text: HANDOFF.replace('    - {id: c', `${here}    - {id: c`).replace(
        '      - c #',
        '      - x\n      - c #',
      ),
      notes: [],
      select: step(2),
    });
  });

  test.each([
    ['behind the last one', 4],
    ['before one that has no turn', 3],
  ])('a new participant %s speaks last', (_name, index) => {
    expect(made(HANDOFF, added('x', { in: 'list', index }))).toMatchObject({
      text: expect.stringContaining('      - c # last word\n      - b\n      - x\ncomponents'),
      select: step(index),
    });
  });

  test('a selector that follows the participants is not given a turn', () => {
    expect(made(ROUND, added('x', { in: 'list', index: 2 }))).toMatchObject({
      text: ROUND.replace('ref: ann}]', 'ref: ann}, {id: x, kind: agent, ref: ann}]'),
    });
    expect(made(ROUND, { op: 'move_step', at: step(1), by: -1 })).toMatchObject({
      text: ROUND.replace(
        '[{id: a, kind: human, ref: lead}, {id: b, kind: agent, ref: ann}]',
        '[{id: b, kind: agent, ref: ann}, {id: a, kind: human, ref: lead}]',
      ),
      select: step(0),
    });
  });

  test('a turn moves, and the participants stay where they stand', () => {
    expect(made(HANDOFF, { op: 'move_step', at: step(0), by: -1 })).toMatchObject({
      text: HANDOFF.replace('      - b\n      - a\n', '      - a\n      - b\n'),
      select: step(0),
    });
  });

  test('a participant goes with all its turns, listed or followed', () => {
    expect(made(HANDOFF, { op: 'delete_step', at: step(1) })).toEqual({
      text: HANDOFF.replace('    - {id: b, kind: agent, ref: ann}\n', '').replaceAll(
        '      - b\n',
        '',
      ),
      notes: ['2 turns went with it.'],
      select: step(1),
    });
    expect(made(ROUND, { op: 'delete_step', at: step(1) })).toEqual({
      text: ROUND.replace(', {id: b, kind: agent, ref: ann}', '').replace('[b, a]', '[a]'),
      notes: ['1 turn went with it.', 'No step uses components.agents.ann now; it stays declared.'],
      select: step(0),
    });
  });

  test('the turns of a wrapped participant are those of its workflow', () => {
    const outcome = made(HANDOFF, { op: 'wrap', steps: [step(1)], name: 'inner', loop: null });
    expect(outcome).toEqual({
      text: HANDOFF.replace(
        '    - {id: b, kind: agent, ref: ann}\n',
        '    - {id: inner, kind: workflow, ref: inner}\n',
      )
        .replaceAll('      - b\n', '      - inner\n')
        .concat(
          '  workflows:\n    inner:\n      type: sequential\n      name: inner\n      steps:\n      - {id: b, kind: agent, ref: ann}\n',
        ),
      notes: [],
      select: step(1),
    });
  });
});

test('participants side by side: one more, one less', () => {
  expect(made(SIDE, added('b', { in: 'list', index: 2 }))).toMatchObject({
    text: SIDE.replace('ref: lead}\n', 'ref: lead}\n    - {id: b, kind: agent, ref: ann}\n'),
    select: step(2),
  });
  expect(made(SIDE, { op: 'delete_step', at: step(1) })).toEqual({
    text: SIDE.replace('    - {id: p, kind: human, ref: lead}\n', ''),
    notes: ['No step uses components.humans.lead now; it stays declared.'],
    select: step(0),
  });
});
