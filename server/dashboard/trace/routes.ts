import { listTrace, traceStreamRoute } from '../../contract/dashboard/trace.ts';
import { getTrace } from '../../contract/platform/run-reads.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestContext } from '../../http/http-profile.ts';
import { type EventStream, openEventStream } from '../../http/sse.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { required } from '../../platform-client/answers.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readTracePage } from '../platform-answers.ts';
import { pageFacts } from '../read.ts';
import { asDashboardFailure, envelope, refuse } from '../refusals.ts';
import { type TailStep, tailTrace } from './tail-trace.ts';
import { createSpanClock, droppedFlag, toTraceEvent } from './trace-view.ts';

const HEARTBEAT_MS = 15_000;

function filterOf(eventType: string | undefined): string | undefined {
  return eventType === '' ? undefined : eventType;
}

interface StreamRequest {
  readonly run_id: string;
  readonly event_type?: string | undefined;
  readonly after?: number | undefined;
  readonly window_id?: string | undefined;
}

/** The place after which a reader goes on: its last id, else what it asks for; undefined = knows no ids. */
function placeOf(headers: RequestContext<Operator>['headers'], after: number | undefined) {
  const last = headers['last-event-id']?.trim() ?? '';
  return /^\d{1,9}$/.test(last) ? Number(last) : after;
}

async function streamTrace(
  deps: DashboardDeps,
  context: RequestContext<Operator>,
  asked: StreamRequest,
): Promise<void> {
  const { principal } = context;
  const topic = {
    platform: principal.platform(),
    runId: asked.run_id,
    eventType: filterOf(asked.event_type),
  };
  const place = placeOf(context.headers, asked.after);
  const numbered = place !== undefined;
  const release = deps.streams.take({
    identity: principal.identity,
    window: deps.signIn === undefined ? asked.window_id : undefined,
  });
  try {
    const stream = openEventStream(context.reply, {
      heartbeatMs: HEARTBEAT_MS,
      sendTimeoutMs: deps.config.sseSendTimeout * 1000,
      heartbeat: () => `ping - ${toTimestamp(deps.clock.now())}`,
    });
    const signal = AbortSignal.any([stream.closed, deps.stopping]);
    try {
      const tail = tailTrace({ logs: deps.traceLogs, topic, after: place ?? 0, numbered, signal });
      for await (const step of tail) await sendStep(stream, step, numbered);
    } catch (error) {
      if (!signal.aborted) await sendFailure(deps, stream.send, error, context.requestId);
    } finally {
      stream.close();
    }
  } finally {
    release();
  }
}

async function sendStep(stream: EventStream, step: TailStep, numbered: boolean): Promise<void> {
  if ('frames' in step) await stream.sendFrames(step.frames);
  else if ('end' in step) await stream.send('end', numbered ? { reason: step.end } : {});
  else if (numbered) await stream.send('run', { status: step.status });
}

async function sendFailure(
  deps: DashboardDeps,
  send: (event: string, data: unknown) => Promise<void>,
  error: unknown,
  requestId: string,
): Promise<void> {
  const failure = asDashboardFailure(error);
  if (!(failure instanceof Refusal)) {
    deps.log.error({ request_id: requestId, err: error }, 'a trace stream failed');
  }
  const refusal = failure instanceof Refusal ? failure : refuse('stream_failed');
  try {
    await send('stream_error', envelope(refusal, requestId));
  } catch (lost) {
    deps.log.info({ request_id: requestId, err: lost }, 'the reader of a stream left');
  }
}

/** Binds the paged trace and its live form. */
export function registerTraceRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(listTrace, async ({ params, query }, { principal, signal }) => {
    const { limit, offset } = query;
    const sent = { limit, offset, event_type: filterOf(query.event_type) };
    const body = await principal
      .platform()
      .read(getTrace, readTracePage, { params, query: sent }, { signal });
    const spans = createSpanClock();
    const rows = required(body.events, 'events').map((event) => toTraceEvent(event, spans));
    return {
      rows,
      ...pageFacts(body, rows.length, { limit, offset }),
      complete: body.complete ?? null,
      dropped: droppedFlag(body.dropped),
    };
  });
  app.implement(traceStreamRoute, async ({ params, query }, context) => {
    await streamTrace(deps, context, { ...params, ...query });
    return undefined;
  });
}
