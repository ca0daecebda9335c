import { expect, test } from 'vitest';
import german from '../../resources/texts/de.json' with { type: 'json' };
import type { CheckpointType } from '../../server/engine/checkpoint.ts';
import { checkpointWords } from './checkpoint-words.ts';

const TYPES: Readonly<Record<CheckpointType, true>> = {
  run_started: true,
  step_completed: true,
  node_completed: true,
  step_failed: true,
  human_pause: true,
  human_resume: true,
  replay_context: true,
  run_completed: true,
  run_failed: true,
  run_cancelled: true,
  run_timed_out: true,
};

test('every type of a checkpoint has words that can be translated', () => {
  const words = Object.keys(TYPES).map(checkpointWords);
  expect(words.filter((text) => !Object.hasOwn(german, text))).toEqual([]);
  expect(checkpointWords('of_another_program')).toBe('of another program');
});
