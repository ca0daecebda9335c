import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import { getTrace } from '../../contract/platform/run-reads.ts';
import { getRun } from '../../contract/platform/runs.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import { readTracePage, type TraceItem } from '../platform-answers.ts';

/** Events of one read of the platform; a shorter page is the last one for now. */
export const PAGE = 100;
/** A proxy between the two usually gives an answer a minute. */
const WAIT_SECONDS = 50;
/** A platform that refused to wait is asked again after so long. */
const REFUSED_MS = 300_000;

/** What one read of a run's trace found. */
export interface TraceLook {
  readonly events: readonly TraceItem[];
  readonly total: number | null;
  readonly window: number | null;
  /** Events beyond the window can be read too. */
  readonly isUnbounded: boolean;
  /** Null where the platform did not say it together with the events. */
  readonly status: string | null;
  /** Names what was committed of the run at that moment; null: the platform does not wait. */
  readonly cursor: string | null;
}

/** Reads the trace of one run, of one type of events or all. */
export interface TraceSource {
  readonly platform: PlatformClient;
  /**
   * A page from a place on. With `seen` the platform answers once something newer than this cursor
   * was committed, or after 50 seconds. @throws PlatformError.
   */
  look(offset: number, seen: string | null, signal: AbortSignal): Promise<TraceLook>;
  /** The status of the run. @throws PlatformError. */
  status(signal: AbortSignal): Promise<string | null>;
}

/** Which platforms refused to wait lately; they are polled as any other. */
export interface WaitOffers {
  isOffered(platform: PlatformClient): boolean;
  refused(platform: PlatformClient): void;
}

export function createWaitOffers(now: () => number = () => performance.now()): WaitOffers {
  const refusals = new WeakMap<PlatformClient, number>();
  return {
    isOffered: (platform) =>
      now() - (refusals.get(platform) ?? Number.NEGATIVE_INFINITY) >= REFUSED_MS,
    refused: (platform) => void refusals.set(platform, now()),
  };
}

/** True when a platform refused words that it does not know. */
export function refusedWords(error: unknown): boolean {
  return error instanceof PlatformError && (error.status === 400 || error.status === 422);
}

export function createTraceSource(
  platform: PlatformClient,
  run: { readonly runId: string; readonly eventType: string | undefined },
  offers: WaitOffers,
): TraceSource {
  const params = { run_id: run.runId };
  const read = async (
    place: number,
    wait: { readonly wait_seconds?: number; readonly seen?: string },
    signal: AbortSignal,
  ): Promise<TraceLook> => {
    // The last page of the window would end with it.
    const isBeyond = place + PAGE > LIST_WINDOW && wait.wait_seconds !== undefined;
    const from = isBeyond ? { after: place } : { offset: place };
    const query = { limit: PAGE, ...from, event_type: run.eventType, ...wait };
    const options = { signal, heldMs: (wait.wait_seconds ?? 0) * 1000 };
    const page = await platform.read(getTrace, readTracePage, { params, query }, options);
    return {
      events: required(page.events, 'events'),
      total: page.total ?? null,
      window: page.window ?? null,
      isUnbounded: page.knows_after === true,
      status: page.run_status ?? null,
      cursor: page.cursor ?? null,
    };
  };
  return {
    platform,
    async look(offset, seen, signal) {
      if (!offers.isOffered(platform)) return read(offset, {}, signal);
      const wait = seen === null ? { wait_seconds: 0 } : { wait_seconds: WAIT_SECONDS, seen };
      try {
        return await read(offset, wait, signal);
      } catch (error) {
        if (!refusedWords(error)) throw error;
        const look = await read(offset, {}, signal);
        offers.refused(platform);
        return look;
      }
    },
    status: async (signal) => (await platform.call(getRun, { params }, { signal })).status ?? null,
  };
}
