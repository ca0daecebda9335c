import type { RunState } from '../../engine/state.ts';
import { isObject } from '../../kernel/json.ts';
import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import { isJsonObject } from '../redaction.ts';
import { isPooled, pooled, unpooled } from './text-pool.ts';

/** The engine's states of runs that can still go on. */
export interface RunStates {
  find(runId: string): RunState | undefined;
  save(runId: string, state: RunState, updatedAt: string): void;
  delete(runId: string): void;
}

function isRunState(value: unknown): value is RunState {
  return isObject(value) && isObject(value['setup']) && isObject(value['frames']);
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
  return {
    find(runId) {
      const row = find.get(runId);
      if (row === undefined) return undefined;
      const state = stateOf(row.state);
      return isRunState(state) ? state : undefined;
    },
    save: (runId, state, updatedAt) => void save.run(runId, storedText(state), updatedAt),
    delete: (runId) => void remove.run(runId),
  };
}
