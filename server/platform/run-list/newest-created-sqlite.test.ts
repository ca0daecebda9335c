import { expect, test, vi } from 'vitest';
import { add, freshLists, list, NEWEST, store } from '../../../test/support/run-list-world.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';

freshLists();

const MORE_THAN_THE_WINDOW = 10_400;
const LATEST = { sort_by: 'created_at', sort_order: 'desc' } as const;
const at = (second: number): string => toTimestamp(Date.UTC(2026, 0, 1) + second * 1000);

/** The rows of the list alone: what nobody shows needs no run. */
function fill(changedAt: (at: number) => number): void {
  const { id } = add({});
  store.sqlite.exec('DELETE FROM run_list');
  store.sqlite.pragma('foreign_keys = OFF');
  const insert = store.sqlite.prepare(
    `INSERT INTO run_list (seq, run_id, status, workflow_kind, has_error, trace_event_count,
       trace_dropped, created_at, updated_at) VALUES (?, ?, 'completed', 'agent', 0, 0, 0, ?, ?)`,
  );
  store.sqlite.transaction(() => {
    for (let seq = 1; seq <= MORE_THAN_THE_WINDOW; seq += 1) {
      insert.run(seq, `${id}-${seq}`, at(seq), at(changedAt(seq)));
    }
  })();
}

/** A page, and how many statements were made for it that sort the whole window. */
async function sortsOf(offset: number): Promise<{ seqs: readonly number[]; sorts: number }> {
  const prepare = vi.spyOn(store.sqlite, 'prepare');
  const { seqs } = await list.page(
    { created_after: at(1) },
    { ...NEWEST, ...LATEST, limit: 3, offset },
  );
  const sorts = prepare.mock.calls.filter(([text]) => /sorted desc/.test(text)).length;
  prepare.mockRestore();
  return { seqs, sorts };
}

test('the latest runs of more than the window are read in an index (RP-055, contract/platform.md 1.5)', async () => {
  fill((seq) => seq);
  expect(await sortsOf(0)).toEqual({ seqs: [10_400, 10_399, 10_398], sorts: 0 });
  expect(await sortsOf(800)).toEqual({ seqs: [9600, 9599, 9598], sorts: 0 });
  // The window ends with the run that was changed as the 10,000th.
  expect(await sortsOf(9_998)).toEqual({ seqs: [402, 401], sorts: 1 });
});

test('a run that is late in the list of creations and fell out of the window is not shown', async () => {
  // All but the last 500 were changed after those.
  fill((seq) => (seq > MORE_THAN_THE_WINDOW - 500 ? seq : seq + MORE_THAN_THE_WINDOW));
  const { seqs, sorts } = await sortsOf(0);
  expect({ seqs, sorts }).toEqual({ seqs: [10_400, 10_399, 10_398], sorts: 0 });
  // 9,900 changed later; of the last 500 the newest 100 by their change are in the window.
  expect(await sortsOf(97)).toEqual({ seqs: [10_303, 10_302, 10_301], sorts: 0 });
  expect(await sortsOf(98)).toEqual({ seqs: [10_302, 10_301, 9900], sorts: 1 });
  expect((await sortsOf(100)).seqs).toEqual([9900, 9899, 9898]);
});
