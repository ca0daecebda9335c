import type { TraceEvent } from '../../contract/dashboard/trace.ts';
import { firstText, objectOf, type Source, text, textOrNull, timeOf } from '../read.ts';

const START_WORDS: ReadonlySet<string> = new Set(['started', 'start', 'begin', 'running']);
const END_WORDS: ReadonlySet<string> = new Set([
  'completed',
  'complete',
  'finished',
  'end',
  'done',
  'ended',
]);
const END_SUFFIX = /(?:_completed|_complete|_finished|_end|\.complete|\.exit)$/;
const START_SUFFIX = /(?:_started|_start|\.start|\.enter|_begin)$/;

type Phase = 'start' | 'end' | undefined;

function phaseOf(event: Source): Phase {
  for (const value of [event['phase'], event['status']]) {
    const word = text(value).toLowerCase();
    if (END_WORDS.has(word)) return 'end';
    if (START_WORDS.has(word)) return 'start';
  }
  const type = text(event['type']);
  if (END_SUFFIX.test(type)) return 'end';
  return START_SUFFIX.test(type) ? 'start' : undefined;
}

/** Pairs opening and closing events of a span; one per trace or stream. */
export interface SpanClock {
  /** Whole milliseconds since the opening event of the span that this event closes, else 0. */
  close(event: Source): number;
}

/** A clock that has seen no span yet. */
export function createSpanClock(): SpanClock {
  const open = new Map<string, number>();
  return {
    close(event) {
      const key = firstText(event['span_id'], event['step_id'], event['node_id']);
      const time = timeOf(event['timestamp']);
      if (key === null || time === undefined) return 0;
      const phase = phaseOf(event);
      if (phase === 'start') open.set(key, time);
      const started = open.get(key);
      if (phase !== 'end' || started === undefined) return 0;
      open.delete(key);
      return Math.max(0, Math.floor(time - started));
    },
  };
}

function kindOf(event: Source): TraceEvent['kind'] {
  if (firstText(event['tool_name']) !== null) return 'tool';
  if (firstText(event['model_name'], event['model_provider']) !== null) return 'llm';
  const type = text(event['type']);
  if (type.includes('policy') || type.includes('guardrail')) return 'policy';
  return type.includes('human') ? 'human' : 'node';
}

function ownDuration(event: Source): number {
  const value = objectOf(event['metadata'])['duration_ms'];
  return typeof value === 'number' && value > 0 ? Math.round(value) : 0;
}

/** A platform trace event as the dashboard shows it (contract/dashboard.md 9). */
export function toTraceEvent(event: Source, spans: SpanClock): TraceEvent {
  const delta = spans.close(event);
  const own = ownDuration(event);
  return {
    ts: text(event['timestamp']),
    type: text(event['type']),
    node: firstText(event['step_id'], event['node_id'], event['agent_name']) ?? '',
    duration_ms: own > 0 ? own : delta,
    kind: kindOf(event),
    input_preview: textOrNull(event['input_preview']),
    output_preview: textOrNull(event['output_preview']),
    error: textOrNull(event['error']),
    event_id: textOrNull(event['event_id']),
    span_id: textOrNull(event['span_id']),
    parent_span_id: textOrNull(event['parent_span_id']),
    offline: event['runtime_mode'] === 'bridge',
  };
}

/** A count of dropped events says that some were dropped; nothing said stays unknown. */
export function droppedFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' ? value > 0 : null;
}
