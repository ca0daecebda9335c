import type { JsonObject } from '../../kernel/json.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunListTable, RunsTable } from '../../store/platform-tables.ts';
import { prepare } from '../../store/sync-query.ts';
import { parseObject, redactText } from '../redaction.ts';
import type { ShownTexts } from './created-metadata.ts';
import type { RunSearch } from './run-search.ts';
import { createdTexts, outcomeTexts } from './run-texts.ts';
import type { OutcomeColumns } from './run-view.ts';

/** The columns of a list row that an execution changes. */
type ListChange = Omit<
  RunListTable,
  'seq' | 'run_id' | 'session_id' | 'deadline_at' | 'created_at'
>;

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function listChange(row: OutcomeColumns): ListChange {
  const usage = parseObject(row.usage);
  // The one member of the metadata that lists sort by, out of a text that may be long.
  const hasDuration = row.run_metadata.includes('"duration_ms"');
  return {
    status: row.status,
    workflow_kind: row.workflow_kind,
    workflow_name: row.workflow_name,
    agent_name: row.agent_name,
    has_error: row.error === null ? 0 : 1,
    current_step_index: row.current_step_index,
    current_step_id: row.current_step_id,
    current_node_id: row.current_node_id,
    continuation_id: row.continuation_id,
    trace_event_count: row.trace_event_count,
    trace_dropped: row.trace_dropped,
    duration_ms: hasDuration ? numberOf(parseObject(row.run_metadata)['duration_ms']) : null,
    input_tokens: numberOf(usage['input_tokens']),
    output_tokens: numberOf(usage['output_tokens']),
    total_tokens: numberOf(usage['total_tokens']),
    started_at: row.started_at,
    completed_at: row.completed_at,
    updated_at: row.updated_at,
  };
}

/** Nothing that lasts is known yet: texts would be written anew with every turn. */
function isUnderWay(status: string): boolean {
  return status === 'queued' || status === 'running';
}

/** What `q` looks in of an outcome: redacted output and error message. */
function searchedOf({ output_text, error }: Pick<OutcomeColumns, 'output_text' | 'error'>): string {
  const { message } = parseObject(error);
  if (output_text === null && typeof message !== 'string') return '';
  return redactText(`${output_text ?? ''}\u0001${typeof message === 'string' ? message : ''}`);
}

/** Keeps what lists filter, sort, search and show beside the runs; inside the same transactions. */
export interface RunListWriter {
  /** `shown` where the metadata of the create was redacted already; `messages` before they became a text. */
  insert(row: RunsTable, shown?: ShownTexts, messages?: readonly JsonObject[]): void;
  /**
   * `read` answers the whole row as it is stored now; asked only for a run that is not listed.
   * `messages` are those of the change.
   */
  update(
    id: string,
    changed: OutcomeColumns,
    read: () => RunsTable | undefined,
    messages?: readonly JsonObject[],
  ): void;
}

export function createRunListWriter(
  store: Database<PlatformTables>,
  search: RunSearch,
): RunListWriter {
  const { db } = store;
  const insert = prepare<PlatformTables, Required<Omit<RunListTable, 'seq'>>, { seq: number }>(
    store,
    (place) =>
      db
        .insertInto('run_list')
        .values({
          run_id: place('run_id'),
          status: place('status'),
          workflow_kind: place('workflow_kind'),
          workflow_name: place('workflow_name'),
          agent_name: place('agent_name'),
          session_id: place('session_id'),
          has_error: place('has_error'),
          current_step_index: place('current_step_index'),
          current_step_id: place('current_step_id'),
          current_node_id: place('current_node_id'),
          continuation_id: place('continuation_id'),
          trace_event_count: place('trace_event_count'),
          trace_dropped: place('trace_dropped'),
          duration_ms: place('duration_ms'),
          input_tokens: place('input_tokens'),
          output_tokens: place('output_tokens'),
          total_tokens: place('total_tokens'),
          deadline_at: place('deadline_at'),
          started_at: place('started_at'),
          completed_at: place('completed_at'),
          created_at: place('created_at'),
          updated_at: place('updated_at'),
        })
        .returning('seq'),
  );
  const update = prepare<PlatformTables, ListChange & { run_id: string }, { seq: number }>(
    store,
    (place) =>
      db
        .updateTable('run_list')
        .set({
          status: place('status'),
          workflow_kind: place('workflow_kind'),
          workflow_name: place('workflow_name'),
          agent_name: place('agent_name'),
          has_error: place('has_error'),
          current_step_index: place('current_step_index'),
          current_step_id: place('current_step_id'),
          current_node_id: place('current_node_id'),
          continuation_id: place('continuation_id'),
          trace_event_count: place('trace_event_count'),
          trace_dropped: place('trace_dropped'),
          duration_ms: place('duration_ms'),
          input_tokens: place('input_tokens'),
          output_tokens: place('output_tokens'),
          total_tokens: place('total_tokens'),
          started_at: place('started_at'),
          completed_at: place('completed_at'),
          updated_at: place('updated_at'),
        })
        .where('run_id', '=', place('run_id'))
        .returning('seq'),
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

  const writeOutcome = (
    seq: number,
    row: OutcomeColumns,
    messages?: readonly JsonObject[],
  ): void => {
    saveOutcome.run({ seq, ...outcomeTexts(row, messages) });
  };
  const insertNow = (
    row: RunsTable | undefined,
    shown?: ShownTexts,
    messages?: readonly JsonObject[],
  ): void => {
    if (row === undefined) return;
    const { session_id, deadline_at, created_at } = row;
    const own = { run_id: row.id, session_id, deadline_at, created_at };
    const seq = insert.get({ ...own, ...listChange(row) })?.seq;
    if (seq === undefined) return;
    insertCreated.run({ seq, ...createdTexts(row, shown) });
    search.insert(seq, row.input_text === null ? '' : redactText(row.input_text));
    const searched = searchedOf(row);
    if (searched !== '') search.update(seq, searched);
    if (!isUnderWay(row.status)) writeOutcome(seq, row, messages);
  };
  return {
    insert: insertNow,
    update(id, changed, read, messages) {
      const seq = update.get({ run_id: id, ...listChange(changed) })?.seq;
      if (seq === undefined) return insertNow(read());
      search.update(seq, searchedOf(changed));
      if (isUnderWay(changed.status)) spoil.run({ seq });
      else writeOutcome(seq, changed, messages);
    },
  };
}
