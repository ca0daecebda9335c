import { toTimestamp } from '../../kernel/timestamp.ts';
import type { DashboardDeps } from '../deps.ts';
import { purgeSessions } from './sessions-repository.ts';

/** Removes ended sessions now and then; what fails is logged, and tried again. */
export function startPurge(
  deps: Pick<DashboardDeps, 'db' | 'clock' | 'log'>,
  seconds: number,
): () => void {
  if (seconds <= 0) return () => undefined;
  const purge = async (): Promise<void> => {
    try {
      await purgeSessions(deps.db, toTimestamp(deps.clock.now()));
    } catch (error) {
      deps.log.error({ err: error }, 'ended sessions could not be removed');
    }
  };
  const timer = setInterval(() => void purge(), seconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}
