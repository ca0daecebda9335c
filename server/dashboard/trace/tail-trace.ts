import type { TraceEvent } from '../../contract/dashboard/trace.ts';
import { getTrace } from '../../contract/platform/run-reads.ts';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import { getRun } from '../../contract/platform/runs.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { readTracePage } from '../platform-answers.ts';
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
 * Yields the events of a run from the first, page by page, then as they appear, until the run is
 * terminal and its last page was read, or the reachable window ends (contract/dashboard.md 10). A
 * blocked run stays open.
 */
export async function* tailTrace(
  options: TailOptions,
): AsyncGenerator<readonly TraceEvent[], void> {
  const { platform, runId, eventType, signal } = options;
  const spans = createSpanClock();
  const params = { run_id: runId };
  let offset = 0;
  let terminal = false;
  for (;;) {
    const query = { limit: PAGE, offset, event_type: eventType };
    const page = await platform.read(getTrace, readTracePage, { params, query }, { signal });
    const events = required(page.events, 'events');
    if (events.length > 0) yield events.map((event) => toTraceEvent(event, spans));
    offset += events.length;
    if (offset > Math.min(page.window ?? MAX_WINDOW, MAX_WINDOW)) return;
    if (events.length === 0 && terminal) return;
    if (terminal) continue;
    const run = await platform.call(getRun, { params }, { signal });
    terminal = isTerminalStatus(run.status);
    if (!terminal && events.length === 0) await options.wait(signal);
  }
}
