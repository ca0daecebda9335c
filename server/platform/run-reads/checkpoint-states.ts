import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { CheckpointsTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { isJsonObject, parseObject, redactObject, redactText } from '../redaction.ts';
import { applyDelta, type ObjectDelta } from '../worker/json-delta.ts';

/** A checkpoint with the run record as it stood then, without its trace. */
export interface CheckpointState {
  readonly row: CheckpointsTable;
  readonly state: JsonObject;
  /** The checkpoint's own metadata. */
  readonly metadata: JsonObject;
}

function isDelta(value: unknown): value is ObjectDelta {
  return isObject(value);
}

function changed(before: JsonObject, stored: unknown): JsonObject {
  if (!isObject(stored)) return before;
  if (isDelta(stored['full'])) return applyDelta({}, stored['full']);
  return isDelta(stored['delta']) ? applyDelta(before, stored['delta']) : before;
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

/** The states of a run's checkpoints, first to last (contract/platform.md 3.6). */
export function checkpointStates(deps: PlatformDeps, run: RunsTable): CheckpointState[] {
  const fixed = fixedFields(run);
  const created = redactObject(parseObject(run.created_metadata));
  let snapshot: JsonObject = {};
  let last: JsonObject = {};
  return deps.checkpoints.ofRun(run.id).map((row) => {
    const stored: unknown = JSON.parse(row.snapshot);
    snapshot = changed(snapshot, stored);
    const told = isObject(stored) ? stored['metadata'] : undefined;
    const metadata = told === undefined ? parseObject(row.metadata) : changed(last, told);
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
