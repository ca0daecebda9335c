import type { RunState } from '../../engine/state.ts';
import { isJsonObject } from '../../kernel/json.ts';

import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import { askLater, type SyncStore } from '../../store/sync-connection.ts';
import { isPooled, pooled, unpooled } from '../stored-forms/text-pool.ts';
import { newStateOf, remnantOf } from './remnant-state.ts';
import { readState } from './state-form.ts';

/** The engine's states of runs that can still go on. */
export interface RunStates {
  /** Undefined when there is none, or one in a form that this version does not read. */
  find(runId: string): RunState | undefined;
  /** As find; of a queued run that nobody has begun, which has none stored, the one it begins with. */
  findOf(row: RunsTable): RunState | undefined;
  /**
   * As findOf and else remnant, asked with the next statement; for the run's row of the same moment.
   */
  later(runId: string): (row: RunsTable) => RunState;
  /** What is left of a run that `findOf` does not find: it can be ended, or begin anew. */
  remnant(row: RunsTable): RunState;
  /** `text` is what {@link storedState} made of the state. */
  save(runId: string, text: string, updatedAt: string): void;
  delete(runId: string): void;
}

/** A state as it is stored. */
export function storedState(state: RunState): string {
  const plain: unknown = state;
  return isJsonObject(plain) ? JSON.stringify(pooled(plain)) : 'null';
}

function stateOf(text: string): unknown {
  const stored: unknown = JSON.parse(text);
  return isPooled(stored) ? unpooled(stored) : undefined;
}

export function createRunStates(store: SyncStore<PlatformTables>): RunStates {
  const find = store.sync.prepare<[string], { state: string }>(
    'SELECT state FROM run_states WHERE run_id = ?',
  );
  const save = store.sync.prepare<[string, string, string]>(
    `INSERT INTO run_states (run_id, state, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (run_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
  );
  const remove = store.sync.prepare<[string]>('DELETE FROM run_states WHERE run_id = ?');
  const valueIn = (row: { state: string } | undefined): unknown =>
    row === undefined ? undefined : stateOf(row.state);
  const read = (runId: string): unknown => valueIn(find.get(runId));
  const stateFor = (row: RunsTable, stored: unknown): RunState | undefined =>
    stored === undefined && row.status === 'queued' ? newStateOf(row) : readState(stored);
  return {
    find: (runId) => readState(read(runId)),
    findOf: (row) => stateFor(row, read(row.id)),
    later(runId) {
      const found = askLater(find, runId);
      return (row) => {
        const stored = valueIn(found());
        return stateFor(row, stored) ?? remnantOf(row, stored);
      };
    },
    remnant: (row) => remnantOf(row, read(row.id)),
    save: (runId, text, updatedAt) => void save.run(runId, text, updatedAt),
    delete: (runId) => void remove.run(runId),
  };
}
