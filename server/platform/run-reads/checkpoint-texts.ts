import { joinObjectTexts, memberText } from '../../kernel/json-text.ts';
import type { PlatformDeps } from '../deps.ts';
import { parseObject } from '../redaction.ts';
import type { CheckpointState } from './checkpoint-states.ts';
import { limitCheckpoint } from './limit-checkpoint.ts';

/**
 * Bytes that the checkpoints of one answer hold in full; what stands behind them is cut as one above
 * the storage limit is. Whoever wants it whole asks for a smaller page.
 */
const ANSWER_BYTES = 16 * 1024 * 1024;
/** What stands around the members of a state, its trace, the own events and the metadata. */
const AROUND = Buffer.byteLength('{"state":,"trace_events":[],"trace_events":[],"metadata":}');

type TextDeps = Pick<PlatformDeps, 'trace' | 'config'>;

/** The bytes of a run's events from one place to another, joined by commas; none is read. */
function weightsOf(
  { trace }: TextDeps,
  runId: string,
  reach: number,
): (from: number, to: number) => number {
  const sums = [0];
  for (const bytes of trace.weights(runId, reach)) sums.push((sums.at(-1) ?? 0) + bytes);
  const last = sums.length - 1;
  return (from, to) => {
    const [first, end] = [Math.min(from, last), Math.min(to, last)];
    return (sums[end] ?? 0) - (sums[first] ?? 0) + Math.max(0, end - first - 1);
  };
}

/**
 * Makes the checkpoints of one answer as JSON, with the trace as it stood at each; the caller gives
 * their states, and behind how many events the own ones of each begin. The trace is stored in the
 * form in which it is shown; it is read as far as it is shown, and never behind `reach` events.
 */
export function checkpointTexts(
  deps: TextDeps,
  runId: string,
  reach: number,
): (checkpoint: CheckpointState, before: number) => Uint8Array {
  const weight = weightsOf(deps, runId, reach);
  const limits = deps.config.checkpoints;
  const most = limits.maxBytes > 0 ? limits.maxBytes : Number.POSITIVE_INFINITY;
  let left = ANSWER_BYTES;

  const full = (state: string, metadata: string, upto: number, before: number): string => {
    const events = (from: number): string => {
      const { bytes } = deps.trace.pageBytes(runId, undefined, Math.max(0, upto - from), from);
      return memberText('trace_events', `[${Buffer.from(bytes).toString()}]`);
    };
    return joinObjectTexts(
      memberText('state', joinObjectTexts(state, events(0))),
      events(before),
      memberText('metadata', metadata),
    );
  };
  const short = ({ row, state, metadata }: CheckpointState, before: number, bytes: number) => {
    const own = Math.max(0, row.trace_upto - before);
    const events = deps.trace.page(runId, undefined, own, before).map(parseObject);
    const part = { state, trace_events: events, metadata };
    const maxBytes = Math.max(0, Math.min(most, left));
    return JSON.stringify(limitCheckpoint(part, bytes, { ...limits, maxBytes }));
  };

  return (checkpoint, before) => {
    const { row } = checkpoint;
    const { trace_events: _events, ...rest } = checkpoint.state;
    const [state, metadata] = [JSON.stringify(rest), JSON.stringify(checkpoint.metadata)];
    const events = weight(0, row.trace_upto) + weight(before, row.trace_upto);
    const bytes = AROUND + Buffer.byteLength(state) + Buffer.byteLength(metadata) + events;
    const parts =
      bytes <= Math.min(most, left)
        ? full(state, metadata, row.trace_upto, before)
        : short(checkpoint, before, bytes);
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
    const made = Buffer.from(joinObjectTexts(JSON.stringify(head), parts, tail));
    left -= made.length;
    return made;
  };
}
