import { expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '../../server/contract/dashboard/audit-actions.ts';
import { AUDIT_EVENT_TYPES } from '../../server/contract/platform/audit-types.ts';
import { CAPABILITIES } from '../../server/dashboard/access/capabilities.ts';
import { actWords, eventChoice, eventWords } from './audit-words.ts';

/** A sentence's beginning, and nothing that a program would write. */
const WORDS = /^[A-Z][A-Za-z ,]+$/;

test('every event, every act and every refused capability is told in words of its own', () => {
  const acts = [...AUDIT_ACTIONS, ...CAPABILITIES];
  const words = [...AUDIT_EVENT_TYPES.map(eventWords), ...acts.map(actWords)];
  expect(words.filter((text) => !WORDS.test(text))).toEqual([]);
  expect(new Set(words).size).toBe(words.length);
});

test('a code stays findable beside its words, and one of another program is as it is', () => {
  expect(eventChoice('run.created')).toEqual({
    value: 'run.created',
    label: 'Run created · run.created',
  });
  expect(eventChoice('acme.done')).toEqual({ value: 'acme.done', label: 'acme.done' });
});
