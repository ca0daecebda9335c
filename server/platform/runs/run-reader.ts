import { isObject, type JsonObject } from '../../kernel/json.ts';
import { joinObjectTexts } from '../../kernel/json-text.ts';
import type { Log } from '../../kernel/log.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunOutcomesTable, RunsTable } from '../../store/platform-tables.ts';
import { createdTexts, type OutcomeTexts, outcomeTexts } from './run-texts.ts';

interface StoredTexts extends RunOutcomesTable {
  readonly run_id: string;
  readonly created_fields: string;
  readonly created_short: string | null;
  readonly created_metadata: string;
}

/** What one run shows, redacted: its fields, and its metadata as JSON text. */
export interface ShownRun {
  readonly fields: JsonObject;
  readonly metadata: string;
}

export interface TraceFacts {
  readonly trace_event_count: number;
  readonly trace_dropped: number;
}

export interface RunReader {
  /** Items of GET /runs as JSON texts; a run that cannot be read is left out with a log line. */
  items(seqs: readonly number[]): string[];
  /** One run in full. */
  shown(runId: string): ShownRun | undefined;
  /** How many events a run's trace has and has lost; the run itself may be long. */
  traceFacts(runId: string): TraceFacts | undefined;
}

const LIST_TEXTS = `SELECT run_list.run_id, fresh, run_created.fields AS created_fields,
    coalesce(run_created.short, run_created.metadata) AS created_short, '' AS created_metadata,
    CASE fresh WHEN 1 THEN coalesce(short_fields, run_outcomes.fields) END AS short_fields,
    CASE fresh WHEN 1 THEN coalesce(short_metadata, run_outcomes.metadata) END AS short_metadata,
    '' AS fields, '' AS metadata
  FROM run_list JOIN run_created USING (seq) LEFT JOIN run_outcomes USING (seq)
  WHERE run_list.seq = ?`;

const ALL_TEXTS = `SELECT run_list.run_id, fresh, run_created.fields AS created_fields,
    run_created.metadata AS created_metadata, run_outcomes.fields, run_outcomes.metadata
  FROM run_list JOIN run_created USING (seq) LEFT JOIN run_outcomes USING (seq)
  WHERE run_list.run_id = ?`;

function parsed(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isJson(value) ? value : {};
}

function isJson(value: unknown): value is JsonObject {
  return isObject(value);
}

/**
 * Puts together what runs show from the texts that were redacted when they were written. Only of a
 * run that executes at the moment the changing part is made anew.
 */
export function createRunReader(
  store: Database<PlatformTables>,
  log: Pick<Log, 'warn'>,
): RunReader {
  const { sqlite } = store;
  const listTexts = sqlite.prepare<[number], StoredTexts>(LIST_TEXTS);
  const allTexts = sqlite.prepare<[string], StoredTexts>(ALL_TEXTS);
  const facts = sqlite.prepare<[string], TraceFacts>(
    'SELECT trace_event_count, trace_dropped FROM run_list WHERE run_id = ?',
  );
  const unlistedFacts = sqlite.prepare<[string], TraceFacts>(
    'SELECT trace_event_count, trace_dropped FROM runs WHERE id = ?',
  );
  const find = sqlite.prepare<[string], RunsTable>('SELECT * FROM runs WHERE id = ?');
  const current = (runId: string): OutcomeTexts => {
    const row = find.get(runId);
    if (row === undefined) throw new TypeError('a listed run is not stored');
    return outcomeTexts(row);
  };

  /** A run of an older store that is not listed yet. */
  const unlisted = (runId: string): ShownRun | undefined => {
    const row = find.get(runId);
    if (row === undefined) return undefined;
    const [created, now] = [createdTexts(row), outcomeTexts(row)];
    return {
      fields: { ...parsed(created.fields), ...parsed(now.fields) },
      metadata: joinObjectTexts(created.metadata, now.metadata),
    };
  };

  const item = (stored: StoredTexts): string => {
    const now = stored.fresh === 1 ? undefined : current(stored.run_id);
    const fields = now === undefined ? stored.short_fields : (now.short_fields ?? now.fields);
    const metadata =
      now === undefined ? stored.short_metadata : (now.short_metadata ?? now.metadata);
    return joinObjectTexts(
      stored.created_fields,
      fields ?? '{}',
      `{"metadata":${joinObjectTexts(stored.created_short ?? '{}', metadata ?? '{}')}}`,
    );
  };

  return {
    items: (seqs) =>
      seqs.flatMap((seq) => {
        const stored = listTexts.get(seq);
        if (stored === undefined) return [];
        try {
          return [item(stored)];
        } catch (error) {
          log.warn({ run_id: stored.run_id, err: error }, 'a run cannot be read');
          return [];
        }
      }),
    traceFacts: (runId) => facts.get(runId) ?? unlistedFacts.get(runId),
    shown(runId) {
      const stored = allTexts.get(runId);
      if (stored === undefined) return unlisted(runId);
      const now = stored.fresh === 1 ? stored : current(runId);
      return {
        fields: { ...parsed(stored.created_fields), ...parsed(now.fields) },
        metadata: joinObjectTexts(stored.created_metadata, now.metadata),
      };
    },
  };
}
