import type { Log } from '../../kernel/log.ts';

import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { WriteLock } from '../../store/write-lock.ts';
import type { RunSearch } from './run-search.ts';

/** Long enough that a short run is over before its texts are indexed, so that they are indexed once. */
const DELAY_MS = 400;
/** Between two steps others get their turn. */
const BETWEEN_STEPS_MS = 3;

const RETRY_MS = 5000;

/**
 * Indexes new texts in bounded steps between other work: a while after a write, and what an earlier
 * process left. The result is to be called after each write.
 */
export function keepIndexed(
  store: SyncStore<PlatformTables>,
  search: RunSearch,
  deps: { readonly log: Log; readonly lock: Pick<WriteLock, 'soon'> },
): () => void {
  let scheduled = false;
  const step = (): void => {
    if (!store.sync.open) return;
    try {
      if (search.step()) schedule(BETWEEN_STEPS_MS);
    } catch (error) {
      deps.log.warn({ err: error }, 'texts of runs were not indexed; they stay searchable');
      schedule(RETRY_MS);
    }
  };
  const schedule = (delay: number): void => {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      if (store.sync.open) deps.lock.soon(step);
    }, delay).unref();
  };
  schedule(DELAY_MS);
  return () => schedule(DELAY_MS);
}
