import { setTimeout as delay } from 'node:timers/promises';
import { listTrace, traceStreamRoute } from '../../contract/dashboard/trace.ts';
import { getTrace } from '../../contract/platform/run-reads.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestContext } from '../../http/http-profile.ts';
import { openEventStream } from '../../http/sse.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { required } from '../../platform-client/answers.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readTracePage } from '../platform-answers.ts';
import { pageFacts } from '../read.ts';
import { asDashboardFailure, envelope, refuse } from '../refusals.ts';
import { tailTrace } from './tail-trace.ts';
import { createSpanClock, droppedFlag, toTraceEvent } from './trace-view.ts';

const HEARTBEAT_MS = 15_000;
const POLL_MS = 1000;

function filterOf(eventType: string | undefined): string | undefined {
  return eventType === '' ? undefined : eventType;
}

async function streamTrace(
  deps: DashboardDeps,
  context: RequestContext<Operator>,
  runId: string,
  eventType: string | undefined,
): Promise<void> {
  const platform = context.principal.platform();
  const release = deps.streams.take(context.principal.identity);
  try {
    const stream = openEventStream(context.reply, {
      heartbeatMs: HEARTBEAT_MS,
      sendTimeoutMs: deps.config.sseSendTimeout * 1000,
      heartbeat: () => `ping - ${toTimestamp(deps.clock.now())}`,
    });
    const signal = AbortSignal.any([stream.closed, deps.stopping]);
    const wait = (aborted: AbortSignal) => delay(POLL_MS, undefined, { signal: aborted });
    try {
      for await (const events of tailTrace({ platform, runId, eventType, signal, wait })) {
        await stream.sendAll('trace', events);
      }
      await stream.send('end', {});
    } catch (error) {
      if (!signal.aborted) await sendFailure(deps, stream.send, error, context.requestId);
    } finally {
      stream.close();
    }
  } finally {
    release();
  }
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
    await streamTrace(deps, context, params.run_id, filterOf(query.event_type));
    return undefined;
  });
}
