import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import type { RunEvent } from '../../engine/event.ts';
import { spanAround } from '../../engine/open-spans.ts';
import type { Log } from '../../kernel/log.ts';
import { redactText, scrubPaths } from '../redaction.ts';
import { answerAttributes, callFacts, isCall, type RecordedTexts } from './call-spans.ts';
import { headersOf, newSpanId, runPlaceOf, spanIdOf } from './run-place.ts';
import { runAttributes, runSpans } from './run-spans.ts';
import type { SpanRecord } from './span-record.ts';
import type { Telemetry } from './telemetry.ts';
import { known } from './usage-attributes.ts';

interface RunTelemetryOptions {
  readonly recorded: RecordedTexts;
  /** Milliseconds since the epoch. */
  now(): number;
  record(span: SpanRecord): void;
  readonly log: Log;
}

const GIVEN_UP = 'The call was given up.';

/** Tells of a fault of telemetry in the log alone: the run goes on. */
function apart<T>(log: Log, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    log.error({ err: error }, 'telemetry met an error');
    return undefined;
  }
}

function errorOf(event: RunEvent, aborted: boolean): string | null {
  if (aborted) return GIVEN_UP;
  return event.type === 'effect_failed' ? scrubPaths(redactText(event.error.message)) : null;
}

function createCall({ recorded, now, record, log }: RunTelemetryOptions): Telemetry['call'] {
  return (effect, state) => {
    if (!isCall(effect)) return undefined;
    const place = runPlaceOf(state.setup);
    const span_id = newSpanId();
    const headers = headersOf(place, span_id);
    if (!place.sampled) return { headers, end: () => undefined };
    const around = spanAround(state, effect.id).span_id;
    const start = now();
    const begun = performance.now();
    const { name, kind, attributes } = callFacts(effect, recorded);
    const end = (event: RunEvent, aborted: boolean): void =>
      record({
        ...{ trace_id: place.trace_id, trace_state: place.trace_state, span_id },
        parent_id: around === null ? place.span_id : spanIdOf(around),
        ...{ name, kind, start, end: start + (performance.now() - begun) },
        attributes: {
          ...runAttributes(state.setup.run_id),
          ...known({ 'specwright.step.id': effect.step_id }),
          ...attributes,
          ...answerAttributes(effect, event, recorded),
          ...known({ [ATTR_ERROR_TYPE]: aborted ? 'cancelled' : null }),
        },
        error: errorOf(event, aborted),
      });
    return { headers, end: (event, aborted) => apart(log, () => end(event, aborted)) };
  };
}

/** Makes spans of what runs do. A fault of its own costs a span and no run. */
export function createRunTelemetry(
  options: RunTelemetryOptions,
): Pick<Telemetry, 'committed' | 'call'> {
  const { record, log } = options;
  const call = createCall(options);
  return {
    committed: (news) =>
      apart(log, () => {
        for (const span of runSpans(news)) record(span);
      }),
    call: (effect, state) => apart(log, () => call(effect, state)),
  };
}
