import { describe, expect, test } from 'vitest';
import {
  add,
  freshLists,
  idsOf,
  inOrder,
  list,
  made,
  NEWEST,
  store,
  TIMES,
} from '../../../test/support/run-list-world.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { listFactsOf } from '../lists/page-items.ts';
import { createdTexts, outcomeTexts } from '../run-record/run-texts.ts';
import { runListBytes } from './run-list-bytes.ts';

freshLists();

describe('sorts of a window (contract/platform.md 1.5)', () => {
  test.each(['asc', 'desc'] as const)('a page of many is that of the whole, %s', async (way) => {
    for (let i = 0; i < 300; i += 1) {
      const times = { created_at: TIMES[i % TIMES.length] ?? '', completed_at: null };
      add(i % 7 === 0 ? times : { ...times, completed_at: toTimestamp(((i * 37) % 100) * 1000) });
    }
    for (const sort_by of ['created_at', 'completed_at', 'session_id']) {
      const request = { ...NEWEST, sort_by, sort_order: way };
      const whole = await idsOf({}, request);
      expect(whole).toHaveLength(300);
      for (const [limit, offset] of [
        [5, 0],
        [7, 20],
        [1, 30],
      ] as const) {
        const page = await idsOf({}, { ...request, limit, offset });
        expect(page).toEqual(whole.slice(offset, offset + limit));
      }
    }
  });

  test.each(['asc', 'desc'] as const)(
    'long texts that begin alike are told apart, %s',
    async (way) => {
      const texts = Array.from({ length: 40 }, (_, i) =>
        i % 5 === 0 ? `${i}` : `${'ä'.repeat(600)}${i % 3 === 0 ? '😀' : '\uFFFD'}${(i * 7) % 40}`,
      );
      for (const input_text of ['', ...texts.slice(1), null]) add({ input_text });
      const newest = inOrder(made, (row) => row.updated_at, -1);
      const texted = newest.filter((row) => row.input_text !== null);
      const sorted = inOrder(texted, (row) => row.input_text, way === 'asc' ? 1 : -1);
      const ids = sorted.map(({ id }) => id);
      const whole = way === 'asc' ? [...ids, 'run-40'] : ['run-40', ...ids];
      const request = { sort_by: 'input_text', sort_order: way };
      expect(await idsOf({}, request)).toEqual(whole);
      for (const [limit, offset] of [
        [3, 0],
        [4, 17],
        [10, 29],
        [5, 39],
        [5, 60],
      ] as const) {
        const page = await idsOf({}, { ...request, limit, offset });
        expect(page).toEqual(whole.slice(offset, offset + limit));
      }
    },
  );

  test.each(['input_text', 'metadata.note.deep'])(
    'a sort by %s lets others go on',
    async (sort_by) => {
      const note = JSON.stringify({ note: { deep: 'x' } });
      store.sqlite.transaction(() => {
        for (let i = 0; i < 2000; i += 1) add({ input_text: `text ${i}`, run_metadata: note });
      })();
      let turns = 0;
      let over = false;
      const others = (): void => {
        turns += 1;
        if (!over) setImmediate(others);
      };
      setImmediate(others);
      await idsOf({}, { sort_by });
      over = true;
      expect(turns).toBeGreaterThanOrEqual(7);
    },
  );
});

test('a page is the JSON of its records, byte for byte (contract/platform.md 3.3)', async () => {
  const error = '{"message":"m, token=abc","type":"t"}';
  const long = { spec: { text: 'y'.repeat(40_000) } };
  add({ status: 'queued' });
  add({ status: 'running', input_text: 'x\0y \ud800 "{}" 😀', session_id: 's' });
  add({ status: 'failed', error, usage: '{"input_tokens":3}' });
  add({ created_metadata: '{"a":{},"b":[1]}', run_metadata: '{"duration_ms":1.5}', tags: '["t"]' });
  add({ created_metadata: JSON.stringify(long), output_text: 'z'.repeat(40_000) });
  const { seqs, total } = await list.page({}, NEWEST);
  const facts = listFactsOf(NEWEST, seqs.length, total);
  const shown = made.toReversed().map((row) => {
    const [created, outcome] = [createdTexts(row), outcomeTexts(row)];
    return {
      ...JSON.parse(created.fields),
      ...JSON.parse(outcome.short_fields ?? outcome.fields),
      metadata: {
        ...JSON.parse(created.short ?? created.metadata),
        ...JSON.parse(outcome.short_metadata ?? outcome.metadata),
      },
    };
  });
  const bytes = Buffer.from(runListBytes(list.items(seqs), facts)).toString();
  expect(bytes).toBe(JSON.stringify({ runs: shown, ...facts }));
  expect(Buffer.from(runListBytes([], facts)).toString()).toBe(
    JSON.stringify({ runs: [], ...facts }),
  );
});
