import type { PlatformDeps } from '../deps.ts';

interface Facts {
  readonly trace_event_count: number;
  readonly trace_dropped: number;
  readonly status: string;
  readonly updated_at: string;
}

/** Names what is committed of a run: another text once anything of it was. */
export function cursorOf(run: Facts): string {
  const { trace_event_count, trace_dropped, status, updated_at } = run;
  return `${trace_event_count}.${trace_dropped}.${status}.${updated_at}`;
}

interface NewsRequest {
  readonly wait_seconds?: number | undefined;
  readonly seen?: string | undefined;
}

/**
 * Waits while what the caller has seen of a run is the newest, for as long as it asks and its
 * connection and the service last; then the page is read as ever. True: it did wait.
 */
export async function waitForNews(
  deps: Pick<PlatformDeps, 'runList' | 'runChanges'>,
  runId: string,
  { wait_seconds = 0, seen }: NewsRequest,
  signal: AbortSignal,
): Promise<boolean> {
  if (wait_seconds === 0 || seen === undefined) return false;
  const until = performance.now() + wait_seconds * 1000;
  const watch = deps.runChanges.watch(runId);
  if (watch === undefined) return false;
  try {
    for (let waited = false; ; waited = true) {
      const run = deps.runList.traceFacts(runId);
      const left = until - performance.now();
      if (run === undefined || cursorOf(run) !== seen || left <= 0) return waited;
      if (!(await watch.next(left, signal))) return true;
    }
  } finally {
    watch.end();
  }
}
