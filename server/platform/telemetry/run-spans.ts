import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_WORKFLOW_NAME,
  GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
  GEN_AI_OPERATION_NAME_VALUE_INVOKE_WORKFLOW,
} from '@opentelemetry/semantic-conventions/incubating';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import { openLegs, pausedLeg } from '../../engine/open-spans.ts';
import type { OpenSpan } from '../../engine/state.ts';
import type { TraceEvent } from '../../engine/trace.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { redactText, scrubPaths } from '../redaction.ts';
import { providerAttribute } from './provider-attribute.ts';
import { derivedSpanId, newSpanId, type RunPlace, runPlaceOf, spanIdOf } from './run-place.ts';
import type { SpanRecord } from './span-record.ts';
import type { RunNews } from './telemetry.ts';
import { known, usageAttributes } from './usage-attributes.ts';

const FAILED = 'failed';

function at(text: string): number {
  return parseTimestamp(text) ?? 0;
}

/** What every span of a run says of it. */
export function runAttributes(runId: string) {
  return { 'specwright.run.id': runId };
}

type Facts = Omit<SpanRecord, 'trace_id' | 'trace_state'>;

function recordIn({ trace_id, trace_state }: RunPlace, facts: Facts): SpanRecord {
  return { trace_id, trace_state, ...facts };
}

/** The span that an event of the run's own trace closes: its ids and times. */
function closedBy(place: RunPlace, event: TraceEvent) {
  const end = at(event.timestamp);
  const took = event.metadata['duration_ms'];
  return {
    span_id: event.span_id === null ? newSpanId() : spanIdOf(event.span_id),
    parent_id: event.parent_span_id === null ? place.span_id : spanIdOf(event.parent_span_id),
    kind: 'internal' as const,
    start: end - (typeof took === 'number' ? took : 0),
    end,
  };
}

function agentSpan(place: RunPlace, event: TraceEvent): SpanRecord {
  const failed = event.type === 'run_failed';
  return recordIn(place, {
    ...closedBy(place, event),
    name: `${GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT} ${event.agent_name ?? ''}`.trim(),
    attributes: {
      ...runAttributes(event.run_id),
      ...known({
        [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
        [ATTR_GEN_AI_AGENT_NAME]: event.agent_name,
        [ATTR_GEN_AI_PROVIDER_NAME]: providerAttribute(event.model_provider),
        [ATTR_GEN_AI_REQUEST_MODEL]: event.model_name,
        [ATTR_GEN_AI_WORKFLOW_NAME]: event.workflow_name,
        'specwright.step.id': event.step_id,
        [ATTR_ERROR_TYPE]: failed ? FAILED : null,
      }),
      ...usageAttributes(event.metadata['usage']),
    },
    error: failed ? (event.error ?? FAILED) : null,
  });
}

function legSpan(
  place: RunPlace,
  event: Pick<TraceEvent, 'run_id' | 'workflow_name'>,
  span: Pick<Facts, 'span_id' | 'parent_id' | 'start' | 'end'>,
  error: string | null,
): SpanRecord {
  return recordIn(place, {
    ...span,
    kind: 'internal',
    name: `${GEN_AI_OPERATION_NAME_VALUE_INVOKE_WORKFLOW} ${event.workflow_name ?? ''}`.trim(),
    attributes: {
      ...runAttributes(event.run_id),
      ...known({
        [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_INVOKE_WORKFLOW,
        [ATTR_GEN_AI_WORKFLOW_NAME]: event.workflow_name,
        [ATTR_ERROR_TYPE]: error === null ? null : FAILED,
      }),
    },
    error,
  });
}

function openSpanAt(
  place: RunPlace,
  { span_id, parent_span_id, started_at }: OpenSpan,
  end: number,
) {
  return {
    span_id: spanIdOf(span_id),
    parent_id: parent_span_id === null ? place.span_id : spanIdOf(parent_span_id),
    start: started_at,
    end,
  };
}

/** The span that an event of the run's trace ends; undefined for events that end none. */
function spanOf(place: RunPlace, news: RunNews, event: TraceEvent): SpanRecord | undefined {
  switch (event.type) {
    case 'run_completed':
    case 'run_failed':
      return agentSpan(place, event);
    case 'workflow_completed':
    case 'workflow_failed': {
      const error = event.type === 'workflow_failed' ? (event.error ?? FAILED) : null;
      return legSpan(place, event, closedBy(place, event), error);
    }
    case 'human_intervention_requested': {
      const leg = pausedLeg(news.after);
      if (leg === undefined) return undefined;
      return legSpan(place, event, openSpanAt(place, leg, at(event.timestamp)), null);
    }
    default:
      return undefined;
  }
}

const OPENS: ReadonlySet<string> = new Set(['workflow_started', 'workflow_resumed']);
const CLOSES: ReadonlySet<string> = new Set(['workflow_completed', 'workflow_failed']);

/** Legs that the end of the run cut off: no event of the trace tells of their end. */
function cutLegs(news: RunNews): OpenSpan[] {
  const opened = news.events.flatMap((event): OpenSpan[] => {
    const { type, event_id, span_id, parent_span_id } = event;
    if (!OPENS.has(type) || span_id === null) return [];
    return [{ event_id, span_id, parent_span_id, started_at: at(event.timestamp) }];
  });
  const ended = news.events.filter(({ type }) => CLOSES.has(type)).map(({ span_id }) => span_id);
  const before = news.before === undefined ? [] : openLegs(news.before);
  return [...before, ...opened].filter(({ span_id }) => !ended.includes(span_id));
}

function runError({ after }: RunNews): string | null {
  if (after.status === 'completed') return null;
  return scrubPaths(redactText(after.error?.message ?? after.status));
}

/** The span of the whole run; one that was over before and went on is told of as a part of it. */
function runSpan(place: RunPlace, news: RunNews, since: number, end: number): SpanRecord {
  const { after, row } = news;
  const name = after.workflow_name ?? after.agent_name ?? after.setup.target;
  const own = news.continued
    ? { span_id: derivedSpanId(`run ${row.id} ${end}`), parent_id: place.span_id }
    : { span_id: place.span_id, parent_id: place.parent_id };
  return recordIn(place, {
    ...own,
    kind: 'internal',
    name: `run ${name}`,
    start: news.continued ? since : at(row.created_at),
    end,
    attributes: {
      ...runAttributes(row.id),
      ...known({
        'specwright.run.status': after.status,
        'specwright.run.target': after.setup.target,
        'specwright.run.environment': after.setup.environment,
        'specwright.run.continued': news.continued ? true : null,
        [ATTR_GEN_AI_WORKFLOW_NAME]: after.workflow_name,
        [ATTR_GEN_AI_AGENT_NAME]: after.agent_name,
        [ATTR_GEN_AI_CONVERSATION_ID]: row.session_id,
        [ATTR_ERROR_TYPE]:
          after.status === 'completed' ? null : (after.error?.type ?? after.status),
      }),
      ...usageAttributes(after.usage),
    },
    error: runError(news),
  });
}

function waitSpans(place: RunPlace, news: RunNews): SpanRecord[] {
  return news.waits.map(({ asked, outcome, start, end }) =>
    recordIn(place, {
      ...{ span_id: newSpanId(), parent_id: place.span_id, kind: 'internal', start, end },
      name: `human ${asked.pending_human_request.requested_by}`,
      attributes: {
        ...runAttributes(news.row.id),
        ...known({
          'specwright.human.continuation_id': asked.id,
          'specwright.human.request_type': asked.pending_human_request.request_type,
          'specwright.human.outcome': outcome,
          [ATTR_GEN_AI_WORKFLOW_NAME]: asked.workflow_name,
          [ATTR_ERROR_TYPE]: outcome === 'answered' ? null : outcome,
        }),
      },
      error: outcome === 'answered' ? null : outcome,
    }),
  );
}

/** The spans that ended with what was committed of a run. */
export function runSpans(news: RunNews): SpanRecord[] {
  const place = runPlaceOf(news.after.setup);
  if (!place.sampled) return [];
  const spans = news.events.flatMap((event) => spanOf(place, news, event) ?? []);
  spans.push(...waitSpans(place, news));
  const { after, before } = news;
  const isNews = after.completed_at !== before?.completed_at;
  if (!isTerminalStatus(after.status) || !isNews) return spans;
  const end = after.completed_at ?? after.latest_at ?? at(news.row.created_at);
  const facts = { run_id: news.row.id, workflow_name: after.workflow_name };
  const error = runError(news);
  for (const leg of cutLegs(news)) {
    spans.push(legSpan(place, facts, openSpanAt(place, leg, end), error));
  }
  const legs = spans.filter(({ parent_id }) => parent_id === place.span_id);
  spans.push(runSpan(place, news, Math.min(end, ...legs.map(({ start }) => start)), end));
  return spans;
}
