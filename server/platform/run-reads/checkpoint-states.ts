import { isJsonObject, isObject, type JsonObject } from '../../kernel/json.ts';
import { workShare } from '../../runtime/work-share.ts';
import type { CheckpointsTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseObject, redactText } from '../redaction.ts';
import { shownMetadata } from '../run-record/created-metadata.ts';
import { StoredChanges } from '../stored-forms/stored-changes.ts';
import type { CheckpointLabel } from '../stored-states/checkpoints-repository.ts';

/** A checkpoint with the run record as it stood then, without its trace; not to be kept. */
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

/** Rows that are read in one go. */
const ROWS = 64;
const LABELS = 1000;

async function* rowsOf<Row extends CheckpointLabel>(
  read: (after: number, limit: number) => readonly Row[],
  limit: number,
): AsyncGenerator<Row> {
  const share = workShare();
  for (let last = 0, more = true; more; ) {
    const rows = read(last, limit);
    for (const row of rows) {
      await share();
      last = row.sequence;
      yield row;
    }
    more = rows.length === limit;
  }
}

/** All checkpoints of a run without what they hold, first to last. */
export async function checkpointLabels(
  { checkpoints }: Pick<PlatformDeps, 'checkpoints'>,
  runId: string,
): Promise<CheckpointLabel[]> {
  const labels: CheckpointLabel[] = [];
  const rows = rowsOf((after, limit) => checkpoints.labelsAfter(runId, after, limit), LABELS);
  for await (const row of rows) labels.push(row);
  return labels;
}

/**
 * What is made of the state of each checkpoint of a run, first to last (contract/platform.md 3.6).
 * Those of a long run are made between turns of the event loop, and each becomes the next: what `make`
 * keeps of one must not be a list or object inside of it. With `only`, members of the run as it
 * stood then that nobody looks at are left out, and all that never changes: the lists of a long run
 * grow with each state, and what the create of one brought takes long to mask. `until` is the last
 * sequence of interest.
 */
export async function ofCheckpoints<Made>(
  deps: Pick<PlatformDeps, 'checkpoints'>,
  run: RunsTable,
  make: (checkpoint: CheckpointState) => Made,
  { only, until = Number.POSITIVE_INFINITY }: { only?: WantedMembers; until?: number } = {},
): Promise<Made[]> {
  const fixed = only === undefined ? fixedFields(run) : {};
  const created = only === undefined ? shownMetadata(run.created_metadata) : {};
  const changes = new StoredChanges({ own: true });
  let snapshot: JsonObject = {};
  let metadata: JsonObject = {};
  const made: Made[] = [];
  const rows = rowsOf((after, limit) => deps.checkpoints.after(run.id, after, limit), ROWS);
  for await (const row of rows) {
    if (row.sequence > until) break;
    const stored: unknown = JSON.parse(row.snapshot);
    snapshot = changes.apply(snapshot, stored, only?.state);
    const told = isObject(stored) ? stored['metadata'] : undefined;
    metadata =
      told === undefined ? parseObject(row.metadata) : changes.next(metadata, told, only?.metadata);
    const own = snapshot['metadata'];
    const state = {
      ...fixed,
      ...snapshot,
      metadata: { ...created, ...(isJsonObject(own) ? own : {}) },
      trace_event_count: row.trace_upto,
      updated_at: row.created_at,
    };
    made.push(make({ row, state, metadata }));
  }
  return made;
}
