import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../runs/end-run.ts';

/**
 * What a killed process left behind, at the start of the one process that owns the store: leased
 * work is due again at once, because its worker cannot be alive; a run of a synchronous request has
 * nobody to answer to any more and fails (contract/platform.md 6.5).
 */
export function recoverOrphans(deps: PlatformDeps): { released: number; failed: number } {
  const now = deps.clock.now();
  const released = deps.queue.expireAllLeases(now / 1000);
  deps.runs.clearTokens();
  let failed = 0;
  for (const row of deps.runs.orphans()) {
    const { changed } = endRun(deps, row, {
      type: 'failed',
      at: now,
      error: {
        type: 'error',
        message: 'The service was restarted while this run was executing for a request.',
      },
    });
    if (changed) failed += 1;
  }
  if (released + failed > 0) {
    deps.log.warn({ released, failed }, 'work of a stopped process was taken over');
  }
  return { released, failed };
}
