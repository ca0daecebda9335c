import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../legs/end-run.ts';
import { judgeDeaths } from './judge-deaths.ts';
import { ownerOf } from './live-services.ts';

/** One run that cannot be ended keeps no service from starting. */
function failOrphan(deps: PlatformDeps, row: RunsTable): boolean {
  const message = 'The service was restarted while this run was executing for a request.';
  try {
    const error = { type: 'error', message };
    return endRun(deps, row, { type: 'failed', at: deps.clock.now(), error }).changed;
  } catch (error) {
    deps.log.error({ run_id: row.id, err: error }, 'a run left behind could not be ended');
    return false;
  }
}

/**
 * What services that are no longer alive left behind: leased work is due again at once, because its
 * worker cannot be alive; a run of a synchronous request has nobody to answer to any more and fails
 * (contract/platform.md 6.5).
 */
export function recoverOrphans(deps: PlatformDeps): { released: number; failed: number } {
  const alive = deps.services.owners();
  const isGone = (token: string | null): boolean => token === null || !alive.has(ownerOf(token));
  judgeDeaths(deps, alive);
  if (deps.queue.catchUp() > 0) deps.wakeWorkers();
  let released = 0;
  for (const { run_id, lease_owner } of deps.queue.leased()) {
    if (lease_owner !== null && isGone(lease_owner)) {
      released += deps.queue.expireLease(run_id, lease_owner);
    }
  }
  for (const { id, execution_token } of deps.runs.restingHeld()) {
    if (execution_token !== null && isGone(execution_token)) deps.runs.release(id, execution_token);
  }
  let failed = 0;
  for (const row of deps.runs.orphans()) {
    if (!isGone(row.execution_token)) continue;
    if (failOrphan(deps, row)) failed += 1;
  }
  if (released + failed > 0) {
    deps.log.warn({ released, failed }, 'work of a stopped process was taken over');
  }
  return { released, failed };
}
