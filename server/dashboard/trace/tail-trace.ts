import type { TraceEvent } from '../../contract/dashboard/trace.ts';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { integerOrNull, requireObjects } from '../read.ts';
import { createSpanClock, toTraceEvent } from './trace-view.ts';

const PAGE = 100;
const MAX_WINDOW = 10_000;

/** What a tail needs. */
export interface TailOptions {
  readonly platform: PlatformClient;
  readonly runId: string;
  readonly eventType: string | undefined;
  readonly signal: AbortSignal;
  /** Waits before the next look; rejects when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
}

/**
 * Yields the events of a run from the first, then as they appear, until the run is terminal and its
 * last page was read, or the reachable window ends (contract/dashboard.md 10). A blocked run stays open.
 */
export async function* tailTrace(options: TailOptions): AsyncGenerator<TraceEvent, void> {
  const { platform, runId, eventType, signal } = options;
  const spans = createSpanClock();
  let offset = 0;
  let terminal = false;
  for (;;) {
    const query = { limit: PAGE, offset, event_type: eventType };
    const page = await platform.runTrace(runId, query, { signal });
    const events = requireObjects(page, 'events');
    for (const event of events) yield toTraceEvent(event, spans);
    offset += events.length;
    if (offset > Math.min(integerOrNull(page['window']) ?? MAX_WINDOW, MAX_WINDOW)) return;
    if (events.length === 0 && terminal) return;
    if (terminal) continue;
    const run = await platform.getRun(runId, { signal });
    terminal = isTerminalStatus(run['status']);
    if (!terminal && events.length === 0) await options.wait(signal);
  }
}
