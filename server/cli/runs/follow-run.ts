import { setTimeout as sleep } from 'node:timers/promises';
import { getTrace } from '../../contract/platform/run-reads.ts';
import { getRun } from '../../contract/platform/runs.ts';
import { readerOf, required } from '../../platform-client/answers.ts';
import { type RunAnswer, readRunAnswer } from '../answers.ts';
import type { PlatformSession } from '../connect/platform-session.ts';
import type { TraceEvent } from './trace-line.ts';

const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 1_000;
const PAGE = 1_000;
/** Events that a list reaches (platform.md 1.5). */
const WINDOW = 10_000;

const PENDING: ReadonlySet<string> = new Set(['queued', 'running']);

/** True when nothing more happens by itself: the run ended or waits for a person. */
export function isSettled(status: string): boolean {
  return !PENDING.has(status);
}

/** A run as it stands. */
export async function readRun(platform: PlatformSession, runId: string): Promise<RunAnswer> {
  return readRunAnswer(await platform.ask(getRun, { params: { run_id: runId } }));
}

/** Reads the events after those that were read before; answers how many are known now. */
async function readOn(
  platform: PlatformSession,
  runId: string,
  known: number,
  onEvent: (event: TraceEvent) => void,
): Promise<number> {
  let offset = known;
  while (offset < WINDOW) {
    const query = { offset, limit: PAGE };
    const params = { run_id: runId };
    const page = readerOf(getTrace)(await platform.ask(getTrace, { params, query }));
    const events = required(page.events, 'events');
    for (const event of events) onEvent(event);
    offset += events.length;
    if (events.length < PAGE) break;
  }
  return offset;
}

/**
 * Waits until a run is settled and tells each event of its trace once, in order. Ends early, with
 * the run as it stands, when the signal aborts.
 */
export async function followRun(
  platform: PlatformSession,
  runId: string,
  options: {
    readonly onEvent?: ((event: TraceEvent) => void) | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<RunAnswer> {
  let known = 0;
  let wait = FIRST_WAIT_MS;
  for (;;) {
    const run = await readRun(platform, runId);
    const before = known;
    if (options.onEvent) known = await readOn(platform, runId, known, options.onEvent);
    if (isSettled(run.status) || options.signal?.aborted === true) return run;
    wait = known > before ? FIRST_WAIT_MS : Math.min(LONGEST_WAIT_MS, wait * 1.5);
    await sleep(wait, undefined, { signal: options.signal }).catch((error: unknown) => {
      if (options.signal?.aborted !== true) throw error;
    });
  }
}
