import { expect, test } from 'vitest';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import {
  holdOrder,
  isFiltered,
  readRunFilter,
  runQuery,
  runsPath,
  uniqueRows,
  unsupportedText,
} from './run-filter-model.ts';

const row = (run_id: string, status = 'running'): RunRow => ({
  run_id,
  status,
  workflow_name: '',
  workflow_kind: '',
  agent_name: '',
  current_node_id: null,
  current_step_index: null,
  current_step_id: null,
  updated_age: '',
  created_at: null,
  updated_at: null,
  blocked: false,
  has_error: false,
  stuck: false,
  stuck_reason: null,
  usage: null,
});

test('a filter survives the address', () => {
  const filter = { status: 'failed', q: 'a b&c', errors: true, stuck: true, since: '24h' };
  const search = Object.fromEntries(new URLSearchParams(runsPath(filter).split('?')[1]));
  expect(readRunFilter(search)).toEqual(filter);
  expect(readRunFilter(filter)).toEqual(filter);
  expect(isFiltered(readRunFilter({}))).toBe(false);
  expect(readRunFilter({ since: 'toString', errors: 'x' })).toEqual({
    status: undefined,
    since: undefined,
    q: undefined,
    errors: undefined,
    stuck: undefined,
  });
});

test('only what is set reaches the service; the boundary moves by minutes', () => {
  expect(runQuery({}, 0)).toEqual({});
  const now = Date.parse('2026-11-21T12:00:30Z');
  expect(runQuery({ since: '1h', stuck: true, errors: true }, now)).toEqual({
    has_error: true,
    stuck_only: true,
    created_after: '2026-11-21T11:00:00.000Z',
  });
});

test('filters that the platform does not know are named as on screen', () => {
  expect(unsupportedText(['created_after', 'created_before', 'q'])).toBe('time, search');
});

test('a run that moved between pages is listed once', () => {
  const pages = [{ rows: [row('a'), row('b', 'queued')] }, { rows: [row('b'), row('c')] }];
  expect(uniqueRows(pages).map(({ run_id, status }) => `${run_id} ${status}`)).toEqual([
    'a running',
    'b queued',
    'c running',
  ]);
});

test('held rows keep their places, change in place and count what waits', () => {
  const fresh = [row('n'), row('b', 'completed'), row('a'), row('older')];
  const held = holdOrder([row('a'), row('b')], fresh);
  expect(held.rows.map(({ run_id, status }) => `${run_id} ${status}`)).toEqual([
    'a running',
    'b completed',
    'older running',
  ]);
  expect(held.waiting).toBe(1);
});
