import type { RunState } from '../../engine/state.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import { isJsonObject } from '../redaction.ts';
import { remnantOf } from './remnant-state.ts';
import { isCurrentState } from './state-form.ts';
import { isPooled, pooled, unpooled } from './text-pool.ts';

/** The engine's states of runs that can still go on. */
export interface RunStates {
  /** Undefined when there is none, or one that an older version stored. */
  find(runId: string): RunState | undefined;
  /** What is left of a run that `find` does not find: it can be ended, or begin anew. */
  remnant(row: RunsTable): RunState;
  save(runId: string, state: RunState, updatedAt: string): void;
  delete(runId: string): void;
}

/** A state as it is stored; older versions stored it as it is. */
function storedText(state: RunState): string {
  const plain: unknown = state;
  return isJsonObject(plain) ? JSON.stringify(pooled(plain)) : 'null';
}

function stateOf(text: string): unknown {
  const stored: unknown = JSON.parse(text);
  return isPooled(stored) ? unpooled(stored) : stored;
}

export function createRunStates(store: Database<PlatformTables>): RunStates {
  const find = store.sqlite.prepare<[string], { state: string }>(
    'SELECT state FROM run_states WHERE run_id = ?',
  );
  const save = store.sqlite.prepare<[string, string, string]>(
    `INSERT INTO run_states (run_id, state, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
  );
  const remove = store.sqlite.prepare<[string]>('DELETE FROM run_states WHERE run_id = ?');
  const read = (runId: string): unknown => {
    const row = find.get(runId);
    return row === undefined ? undefined : stateOf(row.state);
  };
  return {
    find(runId) {
      const state = read(runId);
      return isCurrentState(state) ? state : undefined;
    },
    remnant: (row) => remnantOf(row, read(row.id)),
    save: (runId, state, updatedAt) => void save.run(runId, storedText(state), updatedAt),
    delete: (runId) => void remove.run(runId),
  };
}
