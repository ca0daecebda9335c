import type { BriefRun } from '../../contract/platform/runs.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { joinObjectTexts } from '../../kernel/json-text.ts';
import type { Log } from '../../kernel/log.ts';
import { sqlOf } from '../../store/dialect.ts';

import type { PlatformTables, RunOutcomesTable, RunsTable } from '../../store/platform-tables.ts';
import type { SyncConnection, SyncStore } from '../../store/sync-connection.ts';
import { type OutcomeTexts, outcomeTexts } from '../run-record/run-texts.ts';
import type { RunItem } from './run-list-bytes.ts';

interface StoredTexts extends RunOutcomesTable {
  readonly run_id: string;
  readonly created_fields: string;
  readonly created_metadata: string;
}

/** Of a run that executes or waits the last two are null. */
type ListedTexts = readonly [
  place: number,
  runId: string,
  created: string,
  createdMetadata: string,
  outcome: string | null,
  outcomeMetadata: string | null,
];

/** What one run shows, redacted: its fields, and its metadata as JSON text. */
export interface ShownRun {
  readonly fields: JsonObject;
  readonly metadata: string;
}

export interface TraceFacts {
  readonly trace_event_count: number;
  readonly trace_dropped: number;
  readonly status: string;
  readonly updated_at: string;
}

interface Weight {
  readonly bytes: number | null;
}

interface BriefRow extends Omit<BriefRun, 'usage'> {
  readonly seq: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
}

export interface RunReader {
  /** Items of GET /runs; a run that cannot be read is left out with a log line. */
  items(seqs: readonly number[]): RunItem[];
  /**
   * What the list alone tells of those runs whose status is one of `statuses`, or `*` for all, as JSON
   * texts by their numbers.
   */
  briefs(seqs: readonly number[], statuses: readonly string[]): ReadonlyMap<number, string>;
  /** One run in full. */
  shown(runId: string): ShownRun | undefined;
  /** Bytes that `shown` reads; 0 when there is no such run. */
  weight(runId: string): number;
  /** Bytes that `items` reads of runs whose texts are not kept. */
  listWeight(seqs: readonly number[]): number;
  /** How many events a run's trace has and has lost, and how it stands; the run itself may be long. */
  traceFacts(runId: string): TraceFacts | undefined;
}

const ALL_TEXTS = `SELECT run_list.run_id, fresh, run_created.fields AS created_fields,
    run_created.metadata AS created_metadata, run_outcomes.fields, run_outcomes.metadata
  FROM run_list JOIN run_created USING (seq) LEFT JOIN run_outcomes USING (seq)
  WHERE run_list.run_id = ?`;

/** What a run that executes is read from; a length is read without its text. */
const ROW_BYTES = ['output_text', 'messages', 'run_metadata', 'visited_steps', 'visited_nodes']
  .map((column) => `coalesce(octet_length(runs.${column}), 0)`)
  .join(' + ');

const WEIGHT = `SELECT octet_length(run_created.metadata) +
    CASE fresh WHEN 1
      THEN octet_length(run_outcomes.fields) + octet_length(run_outcomes.metadata)
      ELSE (SELECT ${ROW_BYTES} FROM runs WHERE runs.id = run_list.run_id)
    END AS bytes
  FROM run_list JOIN run_created USING (seq) LEFT JOIN run_outcomes USING (seq)
  WHERE run_list.run_id = ?`;

/** The statements over a page of runs. */
function pageStatements(sync: SyncConnection) {
  const { rowsOfList, rowsOfNumbers, THEN_JOIN } = sqlOf(sync);
  const listTexts = `SELECT page.key, run_list.run_id, run_created.fields,
      coalesce(run_created.short, run_created.metadata),
      CASE fresh WHEN 1 THEN coalesce(short_fields, run_outcomes.fields) END,
      CASE fresh WHEN 1 THEN coalesce(short_metadata, run_outcomes.metadata) END
    FROM ${rowsOfNumbers()} AS page ${THEN_JOIN} run_list ON run_list.seq = page.value
      JOIN run_created USING (seq) LEFT JOIN run_outcomes USING (seq)`;
  const briefs = `SELECT seq, run_list.run_id, status, created_at, updated_at, deadline_at,
      input_tokens, output_tokens, total_tokens
    FROM ${rowsOfNumbers()} AS page ${THEN_JOIN} run_list ON run_list.seq = page.value`;
  const listWeight = `SELECT sum(${ROW_BYTES}) AS bytes
    FROM ${rowsOfNumbers()} AS page ${THEN_JOIN} run_list ON run_list.seq = page.value
      LEFT JOIN run_outcomes USING (seq) JOIN runs ON runs.id = run_list.run_id
    WHERE fresh IS DISTINCT FROM 1`;
  const rows = `SELECT runs.* FROM ${rowsOfList()} AS page ${THEN_JOIN} runs ON runs.id = page.value`;
  return { listTexts, briefs, listWeight, rows };
}

function parsed(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

function briefText(row: BriefRow): string {
  const { run_id, status, created_at, updated_at, deadline_at } = row;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = row;
  const told: BriefRun = {
    ...{ run_id, status, created_at, updated_at, deadline_at },
    usage:
      input === null || output === null || total === null
        ? null
        : { input_tokens: input, output_tokens: output, total_tokens: total },
  };
  return JSON.stringify(told);
}

/**
 * Puts together what runs show from the texts that were redacted when they were written. Only of a
 * run that executes at the moment the changing part is made anew.
 */
export function createRunReader(
  store: Pick<SyncStore<PlatformTables>, 'sync'>,
  log: Pick<Log, 'warn'>,
): RunReader {
  const { sync } = store;
  const statements = pageStatements(sync);
  const listTexts = sync.prepare<[string], ListedTexts>(statements.listTexts).raw();
  const briefRows = sync.prepare<[string], BriefRow>(statements.briefs);
  const allTexts = sync.prepare<[string], StoredTexts>(ALL_TEXTS);
  const facts = sync.prepare<[string], TraceFacts>(
    'SELECT trace_event_count, trace_dropped, status, updated_at FROM run_list WHERE run_id = ?',
  );
  const weight = sync.prepare<[string], Weight>(WEIGHT);
  const listWeight = sync.prepare<[string], Weight>(statements.listWeight);
  const find = sync.prepare<[string], RunsTable>('SELECT * FROM runs WHERE id = ?');
  const findAll = sync.prepare<[string], RunsTable>(statements.rows);
  const current = (runId: string): OutcomeTexts => {
    const row = find.get(runId);
    if (row === undefined) throw new TypeError('a listed run is not stored');
    return outcomeTexts(row);
  };

  /** The rows of those whose texts are not kept, read together. */
  const rowsOf = (stored: readonly ListedTexts[]): ReadonlyMap<string, RunsTable> => {
    const ids = stored.filter(([, , , , outcome]) => outcome === null).map(([, id]) => id);
    if (ids.length === 0) return new Map();
    return new Map(findAll.all(JSON.stringify(ids)).map((row) => [row.id, row]));
  };

  const item = (
    [, runId, created, createdMetadata, outcome, metadata]: ListedTexts,
    rows: ReadonlyMap<string, RunsTable>,
  ): RunItem => {
    if (outcome !== null && metadata !== null) {
      return { created, outcome, createdMetadata, outcomeMetadata: metadata };
    }
    const row = rows.get(runId);
    if (row === undefined) throw new TypeError('a listed run is not stored');
    const now = outcomeTexts(row);
    return {
      created,
      outcome: now.short_fields ?? now.fields,
      createdMetadata,
      outcomeMetadata: now.short_metadata ?? now.metadata,
    };
  };

  return {
    items(seqs) {
      const stored = listTexts.all(JSON.stringify(seqs)).sort(([a], [b]) => a - b);
      const rows = rowsOf(stored);
      return stored.flatMap((texts) => {
        try {
          return [item(texts, rows)];
        } catch (error) {
          log.warn({ run_id: texts[1], err: error }, 'a run cannot be read');
          return [];
        }
      });
    },
    briefs(seqs, statuses) {
      const told = new Set(statuses);
      if (told.size === 0) return new Map();
      return new Map(
        briefRows
          .all(JSON.stringify(seqs))
          .filter(({ status }) => told.has(status) || told.has('*'))
          .map((row) => [row.seq, briefText(row)]),
      );
    },
    weight: (runId) => weight.get(runId)?.bytes ?? 0,
    listWeight: (seqs) => listWeight.get(JSON.stringify(seqs))?.bytes ?? 0,
    traceFacts: (runId) => facts.get(runId),
    shown(runId) {
      const stored = allTexts.get(runId);
      if (stored === undefined) return undefined;
      const now = stored.fresh === 1 ? stored : current(runId);
      return {
        fields: { ...parsed(stored.created_fields), ...parsed(now.fields) },
        metadata: joinObjectTexts(stored.created_metadata, now.metadata),
      };
    },
  };
}
