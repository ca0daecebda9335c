import { expect, test } from 'vitest';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import {
  holdOrder,
  isFiltered,
  readRunFilter,
  runQuery,
  runsPath,
  sortedBy,
  unsupportedText,
} from './run-filter-model.ts';
import { filterOfSaved, savedOfFilter } from './saved-filter-model.ts';

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
  spec_name: null,
  session_id: null,
  environment: null,
  started_at: null,
  completed_at: null,
  offline: false,
  input_preview: null,
  output_preview: null,
  error_preview: null,
});

test('a filter survives the address', () => {
  const filter = {
    status: 'failed',
    q: 'a b&c',
    errors: true,
    stuck: true,
    since: '24h',
    until: '2026-11-21T12:00:00.000Z',
    sort: 'tokens',
    order: 'asc',
  } as const;
  const search = Object.fromEntries(new URLSearchParams(runsPath(filter).split('?')[1]));
  expect(readRunFilter(search)).toEqual(filter);
  expect(readRunFilter(filter)).toEqual(filter);
  expect(isFiltered(readRunFilter({ sort: 'tokens' }))).toBe(false);
  expect(readRunFilter({ since: 'toString', errors: 'x', until: 'then', sort: 'odd' })).toEqual({});
  expect(readRunFilter({ q: 4711 }).q).toBe('4711');
});

test('only what is set reaches the service; the boundary moves by minutes', () => {
  expect(runQuery({}, 0)).toEqual({});
  const now = Date.parse('2026-11-21T12:00:30Z');
  expect(runQuery({ since: '1h', stuck: true, errors: true }, now)).toEqual({
    has_error: true,
    stuck_only: true,
    created_after: '2026-11-21T11:00:00.000Z',
  });
  expect(runQuery({ until: 'u', sort: 'tokens' }, now)).toEqual({
    created_before: 'u',
    sort_by: 'usage.total_tokens',
    sort_order: 'desc',
  });
  const from = '2026-11-20T00:00:00.000Z';
  expect(readRunFilter({ from, since: '1h' })).toMatchObject({ from, since: undefined });
  expect(runQuery({ from }, now)).toEqual({ created_after: from });
});

test('a column sorts downward, then upward, then not', () => {
  const down = sortedBy({ q: 'x' }, 'tokens');
  expect(down).toMatchObject({ q: 'x', sort: 'tokens', order: undefined });
  const up = sortedBy(down, 'tokens');
  expect(up).toMatchObject({ sort: 'tokens', order: 'asc' });
  expect(sortedBy(up, 'tokens')).toMatchObject({ sort: undefined, order: undefined });
  expect(sortedBy({}, 'updated')).toMatchObject({ sort: 'updated', order: 'asc' });
  expect(sortedBy(up, 'updated')).toMatchObject({ sort: undefined, order: undefined });
});

test('filters that the platform does not know are named as on screen', () => {
  expect(unsupportedText(['created_after', 'created_before', 'q'])).toBe('time, search');
});

test('held rows keep their places and change in place; what came to the top waits', () => {
  const shown = new Map([row('a'), row('b')].entries());
  const fresh = new Map([row('n'), row('b', 'completed'), row('a'), row('older')].entries());
  const held = holdOrder(shown, fresh, 2);
  expect([0, 1, 2].map((at) => held.rows.get(at))).toEqual([
    row('a'),
    row('b', 'completed'),
    row('older'),
  ]);
  expect(held.waiting).toBe(1);
});

test('saved filters use the words of the service, and are read from other clients too', () => {
  const filter = { status: 'failed', errors: true, since: '24h', sort: 'tokens' } as const;
  expect(savedOfFilter(filter)).toEqual({
    status: 'failed',
    has_error: true,
    since: '24h',
    sort: 'tokens',
  });
  expect(filterOfSaved(savedOfFilter(filter))).toEqual(filter);
  expect(
    filterOfSaved({ has_error: 'true', stuck_only: true, q: 'x', workflow_kind: 'y' }),
  ).toEqual({ errors: true, stuck: true, q: 'x' });
});
