import { expect, test } from 'vitest';
import {
  DEFAULT_CAPABILITIES,
  CAPABILITIES as KNOWN,
  ROLES as KNOWN_ROLES,
} from '../../../server/dashboard/access/capabilities.ts';
import { CAPABILITIES } from '../../ui/audit-words.ts';
import {
  accessChanges,
  isLocked,
  isSameLists,
  ROLES,
  withCapability,
  withGrant,
} from './access-model.ts';

test('the grid has every role and capability of the dashboard, no other', () => {
  expect([...ROLES]).toEqual([...KNOWN_ROLES]);
  expect(CAPABILITIES.map(({ name }) => name).sort()).toEqual([...KNOWN].sort());
});

test('a change is told before it is saved', () => {
  const after = withCapability(
    withCapability(DEFAULT_CAPABILITIES, 'viewer', 'annotate', true),
    'operator',
    'run.control',
    false,
  );
  expect(accessChanges(DEFAULT_CAPABILITIES, after)).toEqual([
    'viewer gains: Write notes on runs',
    'operator loses: Stop and continue runs, answer human tasks',
  ]);
  expect(accessChanges(after, withCapability(after, 'viewer', 'annotate', true))).toEqual([]);
});

test('the admin keeps the key to this page', () => {
  expect(isLocked('admin', 'settings.write')).toBe(true);
  expect(isLocked('admin', 'launch')).toBe(false);
  expect(isLocked('operator', 'settings.write')).toBe(false);
});

test('a role without a list may use every environment, one with an empty list none', () => {
  const some = withGrant({}, 'viewer', ['dev']);
  expect(some).toEqual({ viewer: ['dev'] });
  expect(withGrant(some, 'viewer', undefined)).toEqual({});
  expect(isSameLists(some, {})).toBe(false);
  expect(isSameLists({ a: ['x', 'y'], b: [] }, { b: [], a: ['y', 'x'] })).toBe(true);
  expect(isSameLists({ viewer: [] }, {})).toBe(false);
});
