import { describe, expect, test } from 'vitest';
import {
  addressProblem,
  NEW_WEBHOOK,
  receiverName,
  receiverState,
  webhookOf,
} from './webhooks-model.ts';

const EARLY = '2026-11-27T10:00:00.000000+00:00';
const LATE = '2026-11-27T11:00:00.000000+00:00';
const BASE = {
  enabled: true,
  disabled_because: null,
  last_success_at: null,
  last_failure_at: null,
};

describe('the state of a receiver', () => {
  test.each([
    ['nobody asked it', {}, 'not asked yet'],
    ['it took the last event', { last_success_at: LATE, last_failure_at: EARLY }, 'takes them'],
    ['the last attempt failed', { last_success_at: EARLY, last_failure_at: LATE }, 'does not'],
    ['it never took one', { last_failure_at: LATE }, 'does not take them'],
    ['somebody paused it', { enabled: false, last_failure_at: LATE }, 'paused'],
    ['it wants no more', { enabled: false, disabled_because: 'answered 410' }, 'switched off'],
  ])('%s', (_what, over, said) => {
    expect(receiverState({ ...BASE, ...over }).text).toContain(said);
  });
});

test('a receiver is called by its description, else by its host', () => {
  const url = 'https://example.com/hooks?token=x';
  expect(receiverName({ url, description: 'Pager' })).toBe('Pager');
  expect(receiverName({ url, description: '' })).toBe('example.com');
});

test('only an address for events can be stored, with at least one event', () => {
  const url = ' https://example.com/hooks ';
  expect(webhookOf({ ...NEW_WEBHOOK, url }, true)).toEqual({
    url: 'https://example.com/hooks',
    description: '',
    events: ['run.ended', 'task.created', 'deadline.near'],
    enabled: true,
  });
  expect(webhookOf({ ...NEW_WEBHOOK, url: 'example.com' }, true)).toBeUndefined();
  expect(webhookOf({ ...NEW_WEBHOOK, url: 'https://a:b@example.com' }, true)).toBeUndefined();
  expect(webhookOf({ ...NEW_WEBHOOK, url, events: [] }, true)).toBeUndefined();
});

test('an address that is none for events says why; an empty one is only not there yet', () => {
  expect(addressProblem('ftp://nowhere')).toMatch(/^An address begins with https/);
  expect(addressProblem('example')).toBeDefined();
  expect(addressProblem(' https://example.com/hook ')).toBeUndefined();
  expect(addressProblem(' ')).toBeUndefined();
});
