import { expect, test } from 'vitest';
import { failurePlace, limitReached, stepPlace } from './spec-place.ts';

const graph = { workflow: { type: 'graph', max_steps: 3, nodes: { poll: {}, 'a b': {} } } };
const sequence = { workflow: { type: 'sequential', steps: [{ id: 'read' }, { id: 'load' }] } };

test('a step is found where the document has it', () => {
  expect(stepPlace(graph, 'poll')).toBe('workflow.nodes.poll');
  expect(stepPlace(sequence, 'load')).toBe('workflow.steps[1]');
  expect(stepPlace(sequence, 'gone')).toBeNull();
  expect(stepPlace({}, 'gone')).toBeNull();
});

test('a failure opens what it names, the limit that it used up, or the step where it stopped', () => {
  const at = (errorType: string | null, errorPath: string | null = null) => ({
    errorType,
    errorPath,
  });
  const stopped = { current_node_id: 'load' };
  const path = 'components.functions.tidy.implementation';
  expect(failurePlace(sequence, stopped, at('SpecCompilationError', path))).toBe(path);
  expect(failurePlace(graph, { current_node_id: 'poll' }, at('max_iterations'))).toBe(
    'workflow.max_steps',
  );
  expect(failurePlace(sequence, stopped, at('max_iterations'))).toBe('workflow');
  expect(failurePlace(sequence, stopped, at('RuntimeError'))).toBe('workflow.steps[1]');
  expect(failurePlace(sequence, { current_node_id: null }, at(null))).toBeNull();
});

test('only a run that used up its steps ended by a limit', () => {
  expect(limitReached({ spec: graph, errorType: 'max_iterations' })).toBe('workflow.max_steps');
  expect(limitReached({ spec: graph, errorType: 'RuntimeError' })).toBeNull();
});
