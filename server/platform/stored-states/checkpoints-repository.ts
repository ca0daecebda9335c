import type { CheckpointsTable, PlatformTables } from '../../store/platform-tables.ts';
import { askLater, type SyncStore } from '../../store/sync-connection.ts';

/** A checkpoint without what it holds. */
export type CheckpointLabel = Omit<CheckpointsTable, 'snapshot' | 'metadata' | 'point'>;

/** What is stored of a run before a leg of it. */
export interface RowsBefore {
  /** Of its last checkpoint, 0 without any. */
  readonly lastCheckpoint: number;
  /** It has a state or resume points: texts that whoever writes next has not seen. */
  readonly hasState: boolean;
}

export interface CheckpointsRepository {
  insert(row: CheckpointsTable): void;
  /** So many of a run that follow a sequence, first to last. */
  after(runId: string, sequence: number, limit: number): CheckpointsTable[];
  /** The same without what they hold. */
  labelsAfter(runId: string, sequence: number, limit: number): CheckpointLabel[];
  find(runId: string, sequence: number): CheckpointsTable | undefined;
  count(runId: string): number;
  /** What a run has, asked with the next statement. */
  before(runId: string): () => RowsBefore;
  /** Whether the run was over and went on again. */
  isContinued(runId: string): boolean;
}

export function createCheckpointsRepository(
  store: SyncStore<PlatformTables>,
): CheckpointsRepository {
  const { sync } = store;
  const insert = sync.prepare<[CheckpointsTable]>(
    `INSERT INTO checkpoints (run_id, sequence, id, type, workflow_name, step_id, node_id,
       iteration, snapshot, metadata, trace_upto, created_at, point)
     VALUES (@run_id, @sequence, @id, @type, @workflow_name, @step_id, @node_id,
       @iteration, @snapshot, @metadata, @trace_upto, @created_at, @point)`,
  );
  const rest = 'FROM checkpoints WHERE run_id = ? AND sequence > ? ORDER BY sequence LIMIT ?';
  const after = sync.prepare<[string, number, number], CheckpointsTable>(`SELECT * ${rest}`);
  const labelsAfter = sync.prepare<[string, number, number], CheckpointLabel>(
    `SELECT run_id, sequence, id, type, workflow_name, step_id, node_id, iteration, trace_upto,
       created_at ${rest}`,
  );
  const find = sync.prepare<[string, number], CheckpointsTable>(
    'SELECT * FROM checkpoints WHERE run_id = ? AND sequence = ?',
  );
  const count = sync.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM checkpoints WHERE run_id = ?',
  );
  const before = sync.prepare<[{ run_id: string }], { last: number | null; state: number }>(
    `SELECT (SELECT max(sequence) FROM checkpoints WHERE run_id = @run_id) AS last,
       EXISTS (SELECT 1 FROM resume_points WHERE run_id = @run_id)
         OR EXISTS (SELECT 1 FROM run_states WHERE run_id = @run_id) AS state`,
  );
  const continued = sync.prepare<[string], { n: number }>(
    `SELECT 1 AS n FROM checkpoints WHERE run_id = ? AND type = 'replay_context' LIMIT 1`,
  );
  return {
    isContinued: (runId) => continued.get(runId) !== undefined,
    insert: (row) => void insert.run(row),
    after: (runId, sequence, limit) => after.all(runId, sequence, limit),
    labelsAfter: (runId, sequence, limit) => labelsAfter.all(runId, sequence, limit),
    find: (runId, sequence) => find.get(runId, sequence),
    count: (runId) => count.get(runId)?.n ?? 0,
    before(runId) {
      const found = askLater(before, { run_id: runId });
      return () => {
        const row = found();
        return { lastCheckpoint: row?.last ?? 0, hasState: row?.state === 1 };
      };
    },
  };
}
