import { expect, test } from 'vitest';
import type { LiveAnswer } from '../../contract/platform/run-stream.ts';
import { createLiveAnswers } from './live-answers.ts';

function said(call: string, text: string, done = false): LiveAnswer {
  const of = { agent_name: 'writer', step_id: null };
  return { transient: true, call_id: call, ...of, text, cut: false, done };
}

test('who comes while a model pauses gets what it has said, and nothing of what is over', () => {
  const answers = createLiveAnswers();
  const leave = answers.follow('run', () => undefined);
  answers.tell('run', said('over', 'It is done.'));
  answers.tell('run', said('over', '', true));
  answers.tell('run', said('goes on', 'The parcel'));
  answers.tell('run', said('goes on', 'The parcel is'));
  const got: string[] = [];
  const leaveLate = answers.follow('run', ({ text }) => void got.push(text));
  expect(got).toEqual(['The parcel is']);
  answers.tell('run', said('goes on', 'The parcel is here'));
  expect(got).toEqual(['The parcel is', 'The parcel is here']);
  leave();
  leaveLate();
  answers.follow('run', ({ text }) => void got.push(text));
  expect(got).toHaveLength(2);
});

test('one of two listeners that leaves takes nothing from the other', () => {
  const answers = createLiveAnswers();
  const got: string[] = [];
  const leave = answers.follow('run', () => undefined);
  answers.follow('run', ({ text }) => void got.push(text));
  leave();
  leave();
  answers.tell('run', said('a', 'one'));
  expect(got).toEqual(['one']);
});
