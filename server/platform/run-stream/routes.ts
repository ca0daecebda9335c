import { runStreamRoute } from '../../contract/platform/run-stream.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { openEventStream } from '../../http/sse.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { streamRun } from './stream-run.ts';

const HEARTBEAT_MS = 15_000;

/** Counts open streams by caller. */
function createStreamPlaces(most: number) {
  const open = new Map<string, number>();
  /** @throws Refusal rate_limited beyond the cap */
  return (caller: string): (() => void) => {
    const count = open.get(caller) ?? 0;
    if (most > 0 && count >= most) {
      const message = `One key follows at most ${most} runs at once (SERV_STREAMS_PER_CALLER).`;
      throw refuse('rate_limited', { message, retryAfter: 5 });
    }
    open.set(caller, count + 1);
    return () => {
      const left = (open.get(caller) ?? 1) - 1;
      if (left > 0) open.set(caller, left);
      else open.delete(caller);
    };
  };
}

/** Where a reader goes on: the last id that it had, else what it asks for. */
function placeOf(last: string | undefined, after: number): number {
  return /^\d{1,9}$/.test(last?.trim() ?? '') ? Number(last) : after;
}

/** GET /runs/{id}/events. */
export function registerRunStreamRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  const take = createStreamPlaces(deps.config.streamsPerCaller);
  app.implement(runStreamRoute, async ({ params, query }, context) => {
    if (deps.runList.traceFacts(params.run_id) === undefined) throw refuse('not_found');
    const release = take(context.principal.name);
    try {
      const stream = openEventStream(context.reply, {
        heartbeatMs: HEARTBEAT_MS,
        sendTimeoutMs: deps.config.streamSendSeconds * 1000,
        heartbeat: () => `ping - ${toTimestamp(deps.clock.now())}`,
      });
      const after = placeOf(context.headers['last-event-id'], query.after);
      const asked = { runId: params.run_id, after, withTrace: query.trace };
      try {
        await streamRun(deps, asked, stream);
      } catch (error) {
        const fields = { run_id: params.run_id, err: error };
        if (!stream.closed.aborted) deps.log.error(fields, 'a stream of a run failed');
      } finally {
        stream.close();
      }
    } finally {
      release();
    }
    return undefined;
  });
}
