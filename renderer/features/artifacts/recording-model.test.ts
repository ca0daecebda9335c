import { beforeEach, expect, test } from 'vitest';
import { localStore } from '../../desktop/local-store.ts';
import {
  choiceOf,
  isReady,
  knownRecordings,
  newRecording,
  rememberRecording,
} from './recording-model.ts';

beforeEach(() => localStore.remove('recordings:p'));

test('a recording is named after the file of the spec, in letters that every system takes', () => {
  expect(newRecording('.studio/drafts/refund desk ü.yaml').name).toBe('refund-desk-');
  expect(newRecording('a/_x.yaml').name).toBe('x');
  expect(newRecording('/').name).toBe('recording');
  expect(isReady({ mode: 'record', name: '../x' })).toBe(false);
  expect(isReady({ mode: 'off', name: '' })).toBe(true);
});

test('only a choice is sent; without one the platform decides (decision record 0007)', () => {
  expect(choiceOf({ mode: 'off', name: 'a' })).toBeUndefined();
  expect(choiceOf({ mode: 'replay', name: ' a ' })).toEqual({ mode: 'replay', name: 'a' });
});

test('what was recorded is offered for replays, the latest first', () => {
  rememberRecording('p', { mode: 'record', name: 'a' });
  rememberRecording('p', { mode: 'record', name: 'b' });
  rememberRecording('p', { mode: 'record', name: 'a' });
  rememberRecording('p', { mode: 'replay', name: 'c' });
  expect(knownRecordings('p')).toEqual(['a', 'b']);
});
