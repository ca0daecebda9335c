import { expect, test } from 'vitest';
import { lineMarks, onDrawing } from './run-progress.ts';

const at = (line: number) => ({ startLine: line, startColumn: 1, endLine: line + 2, endColumn: 1 });
const drawn = (id: string, label: string, parent: string | null = null) => ({ id, label, parent });

const nodes = [
  drawn('steps[0]/steps[0]', 'check', 'steps[0]'),
  drawn('steps[0]', 'draft'),
  drawn('steps[1]', 'check'),
  drawn('steps[2]', 'publish'),
];

test('a run knows steps by name, the drawing by place: the outer step of a name is meant', () => {
  const progress = {
    status: 'blocked',
    nodes: { draft: 'visited', check: 'current', gone: 'visited' } as const,
    taken: new Set(['draft->check']),
    answeredBy: { check: 'mocked' },
  };
  const placed = onDrawing(progress, nodes);
  expect(placed.nodes).toEqual({ 'steps[0]': 'visited', 'steps[1]': 'current', gone: 'visited' });
  expect([...placed.taken]).toEqual(['steps[0]->steps[1]']);
  expect(placed.answeredBy).toEqual({ 'steps[1]': 'mocked' });
});

test('each step that the run reached is marked where it begins, others are not', () => {
  const ranges = { 'steps[0]': at(4), 'steps[1]': at(9), 'steps[2]': at(12) };
  const marks = (status: string, check: 'current' | 'failed') =>
    lineMarks(
      {
        status,
        nodes: { 'steps[0]': 'visited', 'steps[1]': check },
        taken: new Set(),
        answeredBy: {},
      },
      ranges,
      nodes,
    );
  expect(marks('blocked', 'current')).toEqual([
    { line: 4, state: 'done', text: 'draft ran' },
    { line: 9, state: 'waiting', text: 'check waits for a person' },
  ]);
  expect(marks('running', 'current')[1]?.state).toBe('running');
  expect(marks('failed', 'failed')[1]).toEqual({ line: 9, state: 'failed', text: 'check failed' });
});
