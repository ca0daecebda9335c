import { expect, test } from 'vitest';
import { failurePlace, stepPlace } from './spec-place.ts';

const graph = { workflow: { type: 'graph', max_steps: 3, nodes: { poll: {}, 'a b': {} } } };
const sequence = { workflow: { type: 'sequential', steps: [{ id: 'read' }, { id: 'load' }] } };

test('a step is found where the document has it', () => {
  expect(stepPlace(graph, 'poll')).toBe('workflow.nodes.poll');
  expect(stepPlace(sequence, 'load')).toBe('workflow.steps[1]');
  expect(stepPlace(sequence, 'gone')).toBeNull();
  expect(stepPlace({}, 'gone')).toBeNull();
});

test('a failure opens what it names, the limit that it used up, or the step where it stopped', () => {
  const error = "E_HANDLER_NOT_FOUND at components.functions.tidy.implementation: No code 'x'.";
  const stopped = { error: 'It broke.', current_node_id: 'load' };
  expect(failurePlace(sequence, { error, current_node_id: null }, null)).toBe(
    'components.functions.tidy.implementation',
  );
  expect(failurePlace(graph, { ...stopped, current_node_id: 'poll' }, 'max_iterations')).toBe(
    'workflow.max_steps',
  );
  expect(failurePlace(sequence, stopped, 'max_iterations')).toBe('workflow');
  expect(failurePlace(sequence, stopped, 'RuntimeError')).toBe('workflow.steps[1]');
  expect(failurePlace(sequence, { error: 'x', current_node_id: null }, null)).toBeNull();
});
