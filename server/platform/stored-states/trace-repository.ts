import { byDialect } from '../../store/dialect.ts';
import type { PlatformTables, TraceEventsTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import * as postgres from './joined-payloads-postgres.ts';
import * as sqlite from './joined-payloads-sqlite.ts';

export interface TraceRepository {
  insert(row: TraceEventsTable): void;
  count(runId: string, type: string | undefined): number;
  /** The same page as UTF-8, joined by commas, and how many payloads it has. */
  pageBytes(
    runId: string,
    type: string | undefined,
    limit: number,
    offset: number,
  ): { count: number; bytes: Uint8Array };
  /** Payloads in the order of writing. */
  page(runId: string, type: string | undefined, limit: number, offset: number): string[];
  /** Bytes of the first payloads of a run. */
  weight(runId: string, limit: number): number;
  /** Bytes of each of the first payloads of a run. */
  weights(runId: string, limit: number): number[];
}

interface PageBytes {
  readonly count: number;
  readonly bytes: Uint8Array | string | null;
}

export function createTraceRepository(
  store: Pick<SyncStore<PlatformTables>, 'sync'>,
): TraceRepository {
  const { sync } = store;
  const { joinedPayloads } = byDialect(sync, { sqlite, postgres });
  const insert = sync.prepare<[TraceEventsTable]>(
    `INSERT INTO trace_events (run_id, sequence, event_id, type, timestamp, payload)
     VALUES (@run_id, @sequence, @event_id, @type, @timestamp, @payload)`,
  );
  // Numbers of a run have no gap, so an offset is a place.
  const ofAll =
    'SELECT payload FROM trace_events WHERE run_id = ? AND sequence > ? ORDER BY sequence LIMIT ?';
  const ofType = `SELECT payload FROM trace_events WHERE run_id = ? AND type = ?
     ORDER BY sequence LIMIT ? OFFSET ?`;
  const all = sync.prepare<[string, number, number], { payload: string }>(ofAll);
  const typed = sync.prepare<[string, string, number, number], { payload: string }>(ofType);
  const allBytes = sync.prepare<[string, number, number], PageBytes>(joinedPayloads(ofAll));
  const typedBytes = sync.prepare<[string, string, number, number], PageBytes>(
    joinedPayloads(ofType),
  );
  const countAll = sync.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM trace_events WHERE run_id = ?',
  );
  const countTyped = sync.prepare<[string, string], { n: number }>(
    'SELECT count(*) AS n FROM trace_events WHERE run_id = ? AND type = ?',
  );
  const weight = sync.prepare<[string, number, number], { bytes: number | null }>(
    `SELECT sum(octet_length(payload)) AS bytes FROM (${ofAll}) AS page`,
  );
  const weights = sync.prepare<[string, number, number], { bytes: number }>(
    ofAll.replace('payload', 'octet_length(payload) AS bytes'),
  );
  return {
    insert: (row) => void insert.run(row),
    count: (runId, type) =>
      (type === undefined ? countAll.get(runId) : countTyped.get(runId, type))?.n ?? 0,
    pageBytes(runId, type, limit, offset) {
      const found =
        type === undefined
          ? allBytes.get(runId, offset, limit)
          : typedBytes.get(runId, type, limit, offset);
      const bytes = found?.bytes ?? new Uint8Array();
      const isText = typeof bytes === 'string';
      return { count: found?.count ?? 0, bytes: isText ? Buffer.from(bytes) : bytes };
    },
    page: (runId, type, limit, offset) =>
      (type === undefined
        ? all.all(runId, offset, limit)
        : typed.all(runId, type, limit, offset)
      ).map((row) => row.payload),
    weight: (runId, limit) => weight.get(runId, 0, limit)?.bytes ?? 0,
    weights: (runId, limit) => weights.all(runId, 0, limit).map(({ bytes }) => bytes),
  };
}
