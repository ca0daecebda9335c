import { expect, test } from 'vitest';
import type { Column, ColumnKind, Relation } from './copied-table.ts';
import { selectText } from './copy-side.ts';
import { planCopy } from './plan-copy.ts';

const column = (name: string, kind: ColumnKind = 'text', hasDefault = false): Column => ({
  ...{ name, kind, hasDefault },
});
const relation = (name: string, change: Partial<Relation> = {}): Relation => ({
  ...{ name, isView: false, columns: [column('id'), column('body')], key: ['id'], over: [] },
  rowNumber: undefined,
  ...change,
});
const place = (number: number) => `$${number}`;

test('tables of both are copied with the columns of both, in the order of arrival where there is one', () => {
  const from = relation('notes', { rowNumber: 'rowid' });
  const to = relation('notes', {
    columns: [column('body'), column('id'), column('rowid', 'integer', true)],
  });
  const [table] = planCopy([from, relation('schema_migrations')], [to]);
  expect(table).toMatchObject({ name: 'notes', into: 'notes' });
  expect(table?.columns.map(({ name }) => name)).toEqual(['body', 'id']);
  if (table === undefined) throw new Error('one table is copied');
  expect(selectText(table.source, true, place)).toBe(
    'SELECT "body", "id", "rowid" FROM "notes" WHERE ("rowid") > ($1) ORDER BY "rowid"',
  );
  expect(selectText(table.target, false, place)).toBe(
    'SELECT "body", "id", "id" FROM "notes" ORDER BY "id"',
  );
});

test('sums that one keeps as a table and the other as a view of parts are copied as sums, either way', () => {
  const columns = [column('day'), column('kind'), column('runs', 'integer')];
  const sums = relation('counts', { columns, key: ['day', 'kind'] });
  const parts = ['counts_folded', 'counts_changes'].map((name) =>
    relation(name, { columns, key: [] }),
  );
  const view = relation('counts', {
    ...{ columns, key: [], isView: true, over: parts.map(({ name }) => name) },
  });
  const [there] = planCopy([sums], [view, ...parts]);
  expect(there?.into).toBe('counts_folded');
  const [back] = planCopy([view, ...parts], [sums]);
  if (back === undefined) throw new Error('one table is copied');
  expect(back.into).toBe('counts');
  expect(selectText(back.source, true, place)).toBe(
    'SELECT "day", "kind", sum("runs"), "day", "kind" FROM "counts" WHERE ("day", "kind") > ($1, $2)' +
      ' GROUP BY "day", "kind" ORDER BY "day", "kind"',
  );
});

test('what has no place in the other is refused by its name, and nothing is left out silently', () => {
  const refused = (from: readonly Relation[], to: readonly Relation[]) => {
    try {
      planCopy(from, to);
    } catch (error) {
      return String(error);
    }
    return 'nothing';
  };
  const notes = relation('notes');
  expect(refused([notes, relation('more')], [notes])).toContain('a place for more');
  expect(refused([notes], [notes, relation('more')])).toContain('a place for more');
  const wide = relation('notes', { columns: [...notes.columns, column('extra')] });
  expect(refused([wide], [notes])).toContain('notes.extra');
  expect(refused([notes], [wide])).toContain('notes.extra');
  const other = relation('notes', { columns: [column('id'), column('body', 'blob')] });
  expect(refused([notes], [other])).toContain('notes.body');
  const bare = relation('notes', { key: [] });
  expect(refused([bare], [bare])).toContain('the rows of notes');
  const real = relation('notes', { columns: [column('id', 'real'), column('body')] });
  expect(refused([real], [real])).toContain('the rows of notes');
  expect(refused([notes], [notes])).toBe('nothing');
});
