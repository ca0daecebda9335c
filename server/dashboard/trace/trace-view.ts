import type { TraceEvent } from '../../contract/dashboard/trace.ts';
import type { TraceItem } from '../platform-answers.ts';
import { firstText, integerOrNull, objectOf, text, timeOf } from '../read.ts';

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

function phaseOf(event: TraceItem): Phase {
  for (const value of [event['phase'], event['status']]) {
    const word = text(value).toLowerCase();
    if (END_WORDS.has(word)) return 'end';
    if (START_WORDS.has(word)) return 'start';
  }
  const type = event.type ?? '';
  if (END_SUFFIX.test(type)) return 'end';
  return START_SUFFIX.test(type) ? 'start' : undefined;
}

/** Pairs opening and closing events of a span; one per trace or stream. */
export interface SpanClock {
  /** Whole milliseconds since the opening event of the span that this event closes, else 0. */
  close(event: TraceItem): number;
  /** Another clock that has seen the same. */
  copy(): SpanClock;
}

/** A clock that has seen no span yet. */
export function createSpanClock(seen: ReadonlyMap<string, number> = new Map()): SpanClock {
  const open = new Map(seen);
  return {
    copy: () => createSpanClock(open),
    close(event) {
      const key = firstText(event.span_id, event.step_id, event['node_id']);
      const time = timeOf(event.timestamp);
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

function kindOf(event: TraceItem): TraceEvent['kind'] {
  if (firstText(event.tool_name) !== null) return 'tool';
  if (firstText(event.model_name, event.model_provider) !== null) return 'llm';
  const type = event.type ?? '';
  if (type.includes('policy') || type.includes('guardrail')) return 'policy';
  return type.includes('human') ? 'human' : 'node';
}

function ownDuration(event: TraceItem): number {
  const value = event.metadata?.['duration_ms'];
  return typeof value === 'number' && value > 0 ? Math.round(value) : 0;
}

/** What the end of a call says of its tokens. */
function tokensOf(event: TraceItem): Pick<TraceEvent, 'tokens'> {
  const used = objectOf(event.metadata?.['usage']);
  const input = integerOrNull(used['input_tokens']);
  const output = integerOrNull(used['output_tokens']);
  const total = integerOrNull(used['total_tokens']) ?? (input ?? 0) + (output ?? 0);
  return input === null && output === null && total === 0
    ? {}
    : { tokens: { input: input ?? 0, output: output ?? 0, total } };
}

const CALL = /^(model|tool)_(?:started|completed|failed)$/;

/** What an event of one call says that was called. */
function calledBy(event: TraceItem): Pick<TraceEvent, 'called'> {
  const what = CALL.exec(event.type ?? '')?.[1];
  if (what === undefined) return {};
  const called = what === 'tool' ? firstText(event.tool_name) : firstText(event.model_name);
  return called === null ? {} : { called };
}

/** A platform trace event as the dashboard shows it (contract/dashboard.md 9). */
export function toTraceEvent(event: TraceItem, spans: SpanClock): TraceEvent {
  const delta = spans.close(event);
  const own = ownDuration(event);
  return {
    ts: text(event.timestamp),
    type: event.type ?? '',
    node: firstText(event.step_id, event['node_id'], event.agent_name) ?? '',
    duration_ms: own > 0 ? own : delta,
    kind: kindOf(event),
    input_preview: event.input_preview ?? null,
    output_preview: event.output_preview ?? null,
    error: event.error ?? null,
    event_id: event.event_id ?? null,
    span_id: event.span_id ?? null,
    parent_span_id: event.parent_span_id ?? null,
    offline: event.runtime_mode === 'bridge',
    ...tokensOf(event),
    ...calledBy(event),
  };
}

/** A count of dropped events says that some were dropped; nothing said stays unknown. */
export function droppedFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' ? value > 0 : null;
}
