import type { JsonObject } from '../../kernel/json.ts';

import type { PlatformTables, RunListTable, RunsTable } from '../../store/platform-tables.ts';
import { askLater, type SyncStore } from '../../store/sync-connection.ts';
import { prepare } from '../../store/sync-query.ts';
import { parseObject, redactText } from '../redaction.ts';
import type { ShownTexts } from '../run-record/created-metadata.ts';
import {
  assignedColumns,
  insertedColumns,
  LISTED_AT_CREATE,
  LISTED_CHANGES,
  type RunChange,
} from '../run-record/run-columns.ts';
import { createdTexts, outcomeTexts } from '../run-record/run-texts.ts';
import type { RunSearch } from './run-search.ts';

/** What the list makes of a change beside the columns that both have. */
const DERIVED = [
  'has_error',
  'duration_ms',
  'input_tokens',
  'output_tokens',
  'total_tokens',
] as const satisfies (keyof RunListTable)[];
const CHANGES = [...LISTED_CHANGES, ...DERIVED];

type ListChange = RunChange & Pick<RunListTable, (typeof DERIVED)[number]>;
type ListRow = ListChange & Pick<RunsTable, (typeof LISTED_AT_CREATE)[number]>;

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function derivedOf({ error, usage: usageText, run_metadata }: RunChange) {
  const usage = parseObject(usageText);
  // The one member of the metadata that lists sort by, out of a text that may be long.
  const hasDuration = run_metadata.includes('"duration_ms"');
  return {
    has_error: error === null ? 0 : 1,
    duration_ms: hasDuration ? numberOf(parseObject(run_metadata)['duration_ms']) : null,
    input_tokens: numberOf(usage['input_tokens']),
    output_tokens: numberOf(usage['output_tokens']),
    total_tokens: numberOf(usage['total_tokens']),
  };
}

/** While a run executes its texts are not kept: each turn would write them again. */
function isUnderWay(status: string): boolean {
  return status === 'queued' || status === 'running';
}

/** What `q` looks in of an outcome: redacted output and error message. */
function searchedOf({ output_text, error }: Pick<RunChange, 'output_text' | 'error'>): string {
  const { message } = parseObject(error);
  if (output_text === null && typeof message !== 'string') return '';
  return redactText(`${output_text ?? ''}\u0001${typeof message === 'string' ? message : ''}`);
}

/** Keeps what lists filter, sort, search and show beside the runs; inside the same transactions. */
export interface RunListWriter {
  /** `shown` where the metadata of the create was redacted already; `messages` before they became a text. */
  insert(row: RunsTable, shown?: ShownTexts, messages?: readonly JsonObject[]): void;
  /** Asks for the number of a run's row, with the next statement. */
  place(id: string): () => number | undefined;
  /** `messages` are those of the change. */
  update(seq: number | undefined, changed: RunChange, messages?: readonly JsonObject[]): void;
  /** Shows other metadata of the create, and another deadline. */
  respecify(row: RunsTable, shown: ShownTexts): void;
}

export function createRunListWriter(
  store: SyncStore<PlatformTables>,
  search: RunSearch,
): RunListWriter {
  const { db, sync } = store;
  const insert = sync
    .prepare<[ListRow & { run_id: string }], number>(
      `INSERT INTO run_list ${insertedColumns(['run_id', ...LISTED_AT_CREATE, ...CHANGES])}
       RETURNING seq`,
    )
    .pluck();
  const seqOf = sync.prepare<[string], number>('SELECT seq FROM run_list WHERE run_id = ?').pluck();
  const update = sync.prepare<[ListChange & { seq: number }]>(
    `UPDATE run_list SET ${assignedColumns(CHANGES)} WHERE seq = @seq`,
  );
  const insertCreated = prepare<
    PlatformTables,
    { seq: number; fields: string; short: string | null; metadata: string }
  >(store, (place) =>
    db.insertInto('run_created').values({
      seq: place('seq'),
      fields: place('fields'),
      short: place('short'),
      metadata: place('metadata'),
    }),
  );
  const saveDeadline = sync
    .prepare<[{ deadline_at: number | null; run_id: string }], number>(
      'UPDATE run_list SET deadline_at = @deadline_at WHERE run_id = @run_id RETURNING seq',
    )
    .pluck();
  const saveCreated = prepare<
    PlatformTables,
    { seq: number; fields: string; short: string | null; metadata: string }
  >(store, (place) =>
    db
      .updateTable('run_created')
      .set({ fields: place('fields'), short: place('short'), metadata: place('metadata') })
      .where('seq', '=', place('seq')),
  );
  const saveOutcome = prepare<
    PlatformTables,
    {
      seq: number;
      short_fields: string | null;
      short_metadata: string | null;
      fields: string;
      metadata: string;
    }
  >(store, (place) =>
    db
      .insertInto('run_outcomes')
      .values({
        seq: place('seq'),
        fresh: 1,
        short_fields: place('short_fields'),
        short_metadata: place('short_metadata'),
        fields: place('fields'),
        metadata: place('metadata'),
      })
      .onConflict((conflict) =>
        conflict.column('seq').doUpdateSet((eb) => ({
          fresh: 1,
          short_fields: eb.ref('excluded.short_fields'),
          short_metadata: eb.ref('excluded.short_metadata'),
          fields: eb.ref('excluded.fields'),
          metadata: eb.ref('excluded.metadata'),
        })),
      ),
  );
  const spoil = prepare<PlatformTables, { seq: number }>(store, (place) =>
    db
      .updateTable('run_outcomes')
      .set({ fresh: 0 })
      .where('seq', '=', place('seq'))
      .where('fresh', '=', 1),
  );

  const writeOutcome = (seq: number, row: RunChange, messages?: readonly JsonObject[]): void => {
    saveOutcome.run({ seq, ...outcomeTexts(row, messages) });
  };
  return {
    insert(row, shown, messages) {
      const seq = insert.get({ ...row, ...derivedOf(row), run_id: row.id });
      if (seq === undefined) return;
      insertCreated.run({ seq, ...createdTexts(row, shown) });
      search.insert(seq, row.input_text === null ? '' : redactText(row.input_text));
      const searched = searchedOf(row);
      if (searched !== '') search.update(seq, searched);
      if (!isUnderWay(row.status)) writeOutcome(seq, row, messages);
    },
    respecify(row, shown) {
      const seq = saveDeadline.get({ deadline_at: row.deadline_at, run_id: row.id });
      if (seq === undefined) throw new TypeError('a stored run is not listed');
      saveCreated.run({ seq, ...createdTexts(row, shown) });
    },
    place: (id) => askLater(seqOf, id),
    update(seq, changed, messages) {
      if (seq === undefined) throw new TypeError('a stored run is not listed');
      update.run({ ...changed, ...derivedOf(changed), seq });
      search.update(seq, searchedOf(changed));
      if (isUnderWay(changed.status)) spoil.run({ seq });
      else writeOutcome(seq, changed, messages);
    },
  };
}
