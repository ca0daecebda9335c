import type { CheckpointsTable, PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

/** A checkpoint without what it holds. */
export type CheckpointLabel = Omit<CheckpointsTable, 'snapshot' | 'metadata' | 'point'>;

export interface CheckpointsRepository {
  insert(row: CheckpointsTable): void;
  /** So many of a run that follow a sequence, first to last. */
  after(runId: string, sequence: number, limit: number): CheckpointsTable[];
  /** The same without what they hold. */
  labelsAfter(runId: string, sequence: number, limit: number): CheckpointLabel[];
  find(runId: string, sequence: number): CheckpointsTable | undefined;
  count(runId: string): number;
  lastSequence(runId: string): number;
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
  const last = sync.prepare<[string], { n: number | null }>(
    'SELECT max(sequence) AS n FROM checkpoints WHERE run_id = ?',
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
    lastSequence: (runId) => last.get(runId)?.n ?? 0,
  };
}
