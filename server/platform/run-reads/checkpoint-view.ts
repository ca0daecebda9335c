import type { Checkpoint, CheckpointSummary } from '../../contract/platform/run-reads.ts';
import { joinObjectTexts, listText, memberText } from '../../kernel/json-text.ts';
import type { CheckpointsTable, RunsTable } from '../../store/platform-tables.ts';
import type { CheckpointLimits } from '../config.ts';
import type { PlatformDeps } from '../deps.ts';
import { oneByOne } from '../lists/time-slices.ts';
import { parseObject } from '../redaction.ts';
import type { CheckpointState } from './checkpoint-states.ts';
import { isLimited, limitCheckpoint } from './limit-checkpoint.ts';

/** Row → the short form of diff and replay. */
export function toCheckpointSummary(row: CheckpointsTable): CheckpointSummary {
  return {
    id: row.id,
    sequence: row.sequence,
    type: row.type,
    created_at: row.created_at,
    workflow_name: row.workflow_name,
    step_id: row.step_id,
    node_id: row.node_id,
  };
}

/** Row → a checkpoint without its state, events and metadata. */
export function toCheckpointLabel(row: CheckpointsTable): Checkpoint {
  const { run_id, iteration } = row;
  return {
    ...toCheckpointSummary(row),
    run_id,
    iteration,
    state: {},
    trace_events: [],
    metadata: {},
  };
}

/** A checkpoint's own part of the trace begins behind so many events. */
export interface WantedCheckpoint {
  readonly checkpoint: CheckpointState;
  readonly before: number;
}

/** Texts of its state, with the trace as it stood, its own events and its metadata. */
function fullParts(
  { checkpoint, before }: WantedCheckpoint,
  payloads: readonly string[],
): readonly string[] {
  const { row, state, metadata } = checkpoint;
  const until = payloads.slice(0, row.trace_upto);
  const { trace_events: _events, ...rest } = state;
  return [
    joinObjectTexts(JSON.stringify(rest), memberText('trace_events', listText(until))),
    listText(until.slice(before)),
    JSON.stringify(metadata),
  ];
}

/** The same of a checkpoint above the storage limit. */
function shortParts(
  { checkpoint, before }: WantedCheckpoint,
  payloads: readonly string[],
  bytes: number,
  limits: CheckpointLimits,
): readonly string[] {
  const { row, state, metadata } = checkpoint;
  const own = payloads.slice(before, row.trace_upto);
  const part = { state, trace_events: own.map(parseObject), metadata };
  const limited = limitCheckpoint(part, bytes, limits);
  return [limited.state, limited.trace_events, limited.metadata].map((value) =>
    JSON.stringify(value),
  );
}

const PART_NAMES = ['state', 'trace_events', 'metadata'] as const;

function partsText(parts: readonly string[]): string {
  return joinObjectTexts(
    ...PART_NAMES.map((name, index) => memberText(name, parts[index] ?? '{}')),
  );
}

/**
 * Some of a run's checkpoints in full as JSON, with the trace as it stood at each. The trace is
 * stored in the form in which it is shown; other requests get their turn between two checkpoints.
 */
export function checkpointTexts(
  deps: PlatformDeps,
  run: RunsTable,
  wanted: readonly WantedCheckpoint[],
): Promise<Uint8Array[]> {
  const reach = Math.max(0, ...wanted.map(({ checkpoint }) => checkpoint.row.trace_upto));
  const payloads = deps.trace.upTo(run.id, reach).map(({ payload }) => payload);
  const limits = deps.config.checkpoints;
  return oneByOne(wanted, (item) => {
    const { row } = item.checkpoint;
    const full = partsText(fullParts(item, payloads));
    const bytes = Buffer.byteLength(full);
    const parts = isLimited(bytes, limits)
      ? partsText(shortParts(item, payloads, bytes, limits))
      : full;
    const head = {
      id: row.id,
      run_id: row.run_id,
      type: row.type,
      workflow_name: row.workflow_name,
      step_id: row.step_id,
      node_id: row.node_id,
      sequence: row.sequence,
      iteration: row.iteration,
    };
    const tail = JSON.stringify({ created_at: row.created_at });
    return Buffer.from(joinObjectTexts(JSON.stringify(head), parts, tail));
  });
}
