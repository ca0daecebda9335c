import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  causeOf,
  clustersOf,
  dealtWith,
  type FailedRun,
  normalError,
  spanOf,
  trendOf,
} from './failures-model.ts';

const run = (part: Partial<FailedRun>): FailedRun => ({
  ...{ run_id: 'r', status: 'failed', workflow_name: '', workflow_kind: 'workflow' },
  ...{ agent_name: '', current_node_id: null, current_step_index: null, updated_age: '' },
  ...{ created_at: null, updated_at: null, current_step_id: null, blocked: false },
  ...{ has_error: true, stuck: false, stuck_reason: null, usage: null, spec_name: 'desk' },
  ...{ session_id: null, environment: null, started_at: null, completed_at: null },
  ...{ offline: false, input_preview: null, output_preview: null, error_preview: null },
  ...part,
});

test('what differs from run to run is no part of an error', () => {
  const of = (id: string, port: number, at: string) =>
    normalError(`Run ${id} at ${at}:  GET http://127.0.0.1:${port}/a?b=1 gave ${port}`);
  const left = of('01a20711-d282-4e09-a4b5-c07601bf80f7', 80, '2026-01-01T10:00:00.123Z');
  expect(left).toBe('Run <id> at <time>: GET <address> gave <n>');
  expect(of('11a20711-d282-4e09-a4b5-c07601bf80f8', 8080, '2026-02-01 11:00:00')).toBe(left);
  expect(normalError('E_HANDLER_NOT_FOUND at x.y')).toBe('E_HANDLER_NOT_FOUND at x.y');
});

test('failures of one cause in one workflow are one group, the largest first (OD-096)', () => {
  const clusters = clustersOf([
    run({ run_id: 'a', error_preview: 'Timed out after 3 s', updated_at: '2026-01-01T00:00:00Z' }),
    run({ run_id: 'b', error_preview: 'No such tool' }),
    run({ run_id: 'c', error_preview: 'Timed out after 9 s', updated_at: '2026-01-02T00:00:00Z' }),
    run({ run_id: 'd', error_preview: 'Timed out after 9 s', spec_name: 'other' }),
  ]);
  expect(
    clusters.map(({ name, error, runs }) => [name, error, runs.map((one) => one.run_id)]),
  ).toEqual([
    ['desk', 'Timed out after <n> s', ['c', 'a']],
    ['desk', 'No such tool', ['b']],
    ['other', 'Timed out after <n> s', ['d']],
  ]);
});

test('the trend counts every failure once, from the oldest to now', () => {
  const at = (hour: number) => run({ updated_at: new Date(hour * 3_600_000).toISOString() });
  const runs = [at(1), at(1), at(7), at(13)];
  const span = spanOf(runs, 13 * 3_600_000);
  expect(span).toEqual({ from: 3_600_000, until: 13 * 3_600_000, parts: 12 });
  const counts = trendOf(runs, span);
  expect(counts).toEqual([2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  expect(trendOf([run({})], spanOf([run({})], 5)).reduce((sum, one) => sum + one)).toBe(1);
});

const word = fc.constantFrom(
  'Timed out after ',
  '3 s',
  ' 0af3 ',
  'http://a.b/c?d=1',
  ' at x.y',
  '\n',
  '#7',
);
const error = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));

test('an error that is normal stays as it is', () => {
  fc.assert(
    fc.property(error, (text) => {
      expect(normalError(normalError(text))).toBe(normalError(text));
    }),
  );
});

test('clusters hold every run once, in whichever order the runs come', () => {
  const rows = fc
    .array(fc.record({ error_preview: error, spec_name: fc.constantFrom('a', 'b') }), {
      maxLength: 30,
    })
    .map((parts) => parts.map((part, at) => run({ ...part, run_id: `r${at}` })));
  const shape = (runs: readonly FailedRun[]) =>
    clustersOf(runs)
      .map((cluster) => [
        causeOf(cluster),
        cluster.runs
          .map(({ run_id }) => run_id)
          .sort()
          .join(),
      ])
      .sort();
  fc.assert(
    fc.property(rows, (runs) => {
      const clusters = clustersOf(runs);
      expect(clusters.flatMap((cluster) => cluster.runs)).toHaveLength(runs.length);
      for (const { name, error: said, runs: members } of clusters) {
        for (const member of members) {
          expect([member.spec_name, normalError(member.error_preview ?? '')]).toEqual([name, said]);
        }
      }
      expect(shape(runs.toReversed())).toEqual(shape(runs));
    }),
  );
});

test('a run is dealt with until it fails again', () => {
  const note = (run_id: string, created_at: string, body = 'fixed') => ({
    ...{ id: `${run_id} ${created_at}`, run_id, body, tags: ['dealt-with'], created_by: 'ada' },
    ...{ created_at, updated_at: created_at, version: 1 },
  });
  const runs = [
    run({ run_id: 'a', updated_at: '2026-01-01T10:00:00Z' }),
    run({ run_id: 'b', updated_at: '2026-01-01T12:00:00Z' }),
  ];
  const notes = [
    note('a', '2026-01-01T11:00:00Z', 'newer'),
    note('a', '2026-01-01T10:30:00Z'),
    note('b', '2026-01-01T11:00:00Z'),
    note('elsewhere', '2026-01-01T11:00:00Z'),
  ];
  expect([...dealtWith(runs, notes)].map(([id, { body }]) => [id, body])).toEqual([['a', 'newer']]);
});
