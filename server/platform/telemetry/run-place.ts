import { createHash, randomBytes } from 'node:crypto';
import type { RunSetup } from '../../engine/state.ts';
import type { TraceHeaders } from '../../runtime/outbound-trace.ts';

/** Where the spans of a run stand: the same in every process that works on it. */
export interface RunPlace {
  readonly trace_id: string;
  /** The span of the run itself. */
  readonly span_id: string;
  /** What the run was asked for in; null = it begins its trace. */
  readonly parent_id: string | null;
  readonly trace_state: string | null;
  /** False where the caller said that its trace is not recorded. */
  readonly sampled: boolean;
}

const SPAN_DIGITS = 16;

/** A new id of a span. */
export function newSpanId(): string {
  return randomBytes(SPAN_DIGITS / 2).toString('hex');
}

/** The id of the span that the run's own trace names so; ids there are UUIDs. */
export function spanIdOf(uuid: string): string {
  return uuid.replaceAll('-', '').slice(-SPAN_DIGITS);
}

/** A span id that follows from a text, so that another process finds the same one. */
export function derivedSpanId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, SPAN_DIGITS);
}

/**
 * The place of a run: in the trace of its caller, as it was stored with the run, or at the head of
 * one that its own id names.
 */
export function runPlaceOf({ run_id, caller_trace }: RunSetup): RunPlace {
  const span_id = derivedSpanId(`run ${run_id}`);
  if (caller_trace === undefined) {
    const trace_id = createHash('sha256').update(`trace ${run_id}`).digest('hex').slice(0, 32);
    return { trace_id, span_id, parent_id: null, trace_state: null, sampled: true };
  }
  const [, trace_id = '', parent_id = null, flags = '00'] = caller_trace.traceparent.split('-');
  return {
    ...{ trace_id, span_id, parent_id, trace_state: caller_trace.tracestate ?? null },
    sampled: isSampled(flags),
  };
}

/** Whether the flags of a traceparent say that the trace is recorded. */
export function isSampled(flags: string): boolean {
  return (Number.parseInt(flags, 16) & 1) === 1;
}

/** The headers that tell somebody else of a span (W3C Trace Context). */
export function headersOf(
  { trace_id, trace_state, sampled }: Omit<RunPlace, 'span_id' | 'parent_id'>,
  spanId: string,
): TraceHeaders {
  const traceparent = `00-${trace_id}-${spanId}-${sampled ? '01' : '00'}`;
  return { traceparent, ...(trace_state === null ? {} : { tracestate: trace_state }) };
}
