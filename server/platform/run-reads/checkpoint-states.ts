import { isJsonObject, isObject, type JsonObject } from '../../kernel/json.ts';
import type { CheckpointsTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { oneByOne } from '../lists/time-slices.ts';
import { parseObject, redactText } from '../redaction.ts';
import { shownMetadata } from '../run-record/created-metadata.ts';
import { StoredChanges } from '../stored-forms/stored-changes.ts';

/** A checkpoint with the run record as it stood then, without its trace. */
export interface CheckpointState {
  readonly row: CheckpointsTable;
  readonly state: JsonObject;
  /** The checkpoint's own metadata. */
  readonly metadata: JsonObject;
}

/** What a run record holds from its creation to its end. */
function fixedFields(row: RunsTable): JsonObject {
  return {
    id: row.id,
    run_id: row.id,
    input_text: row.input_text === null ? null : redactText(row.input_text),
    session_id: row.session_id,
    parent_run_id: row.parent_run_id,
    tags: [],
    created_at: row.created_at,
    deadline_at: row.deadline_at,
  };
}

/** Members of a state and of its metadata that a reader looks at. */
export interface WantedMembers {
  readonly state: ReadonlySet<string>;
  readonly metadata: ReadonlySet<string>;
}

/**
 * The states of a run's checkpoints, first to last (contract/platform.md 3.6). Those of a long run
 * are made between turns of the event loop. With `only`, members of the run as it stood then that
 * nobody looks at are left out, and all that never changes: the lists of a long run grow with each
 * state, and what the create of one brought takes long to mask.
 */
export function checkpointStates(
  deps: PlatformDeps,
  run: RunsTable,
  only?: WantedMembers,
): Promise<CheckpointState[]> {
  const fixed = only === undefined ? fixedFields(run) : {};
  const created = only === undefined ? shownMetadata(run.created_metadata) : {};
  const changes = new StoredChanges();
  let snapshot: JsonObject = {};
  let last: JsonObject = {};
  return oneByOne(deps.checkpoints.ofRun(run.id), (row) => {
    const stored: unknown = JSON.parse(row.snapshot);
    snapshot = changes.apply(snapshot, stored, only?.state);
    const told = isObject(stored) ? stored['metadata'] : undefined;
    const metadata =
      told === undefined ? parseObject(row.metadata) : changes.next(last, told, only?.metadata);
    last = metadata;
    const own = snapshot['metadata'];
    const state = {
      ...fixed,
      ...snapshot,
      metadata: { ...created, ...(isJsonObject(own) ? own : {}) },
      trace_event_count: row.trace_upto,
      updated_at: row.created_at,
    };
    return { row, state, metadata };
  });
}
