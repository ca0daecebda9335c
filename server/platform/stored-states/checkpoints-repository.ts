import type { Database } from '../../store/open-database.ts';
import type { CheckpointsTable, PlatformTables } from '../../store/platform-tables.ts';

export interface CheckpointsRepository {
  insert(row: CheckpointsTable): void;
  /** All of a run, first to last. */
  ofRun(runId: string): CheckpointsTable[];
  find(runId: string, sequence: number): CheckpointsTable | undefined;
  count(runId: string): number;
  lastSequence(runId: string): number;
}

export function createCheckpointsRepository(
  store: Database<PlatformTables>,
): CheckpointsRepository {
  const { sqlite } = store;
  const insert = sqlite.prepare<[CheckpointsTable]>(
    `INSERT INTO checkpoints (run_id, sequence, id, type, workflow_name, step_id, node_id,
       iteration, snapshot, metadata, trace_upto, created_at, point)
     VALUES (@run_id, @sequence, @id, @type, @workflow_name, @step_id, @node_id,
       @iteration, @snapshot, @metadata, @trace_upto, @created_at, @point)`,
  );
  const ofRun = sqlite.prepare<[string], CheckpointsTable>(
    'SELECT * FROM checkpoints WHERE run_id = ? ORDER BY sequence',
  );
  const find = sqlite.prepare<[string, number], CheckpointsTable>(
    'SELECT * FROM checkpoints WHERE run_id = ? AND sequence = ?',
  );
  const count = sqlite.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM checkpoints WHERE run_id = ?',
  );
  const last = sqlite.prepare<[string], { n: number | null }>(
    'SELECT max(sequence) AS n FROM checkpoints WHERE run_id = ?',
  );
  return {
    insert: (row) => void insert.run(row),
    ofRun: (runId) => ofRun.all(runId),
    find: (runId, sequence) => find.get(runId, sequence),
    count: (runId) => count.get(runId)?.n ?? 0,
    lastSequence: (runId) => last.get(runId)?.n ?? 0,
  };
}
