import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import { createDeliverer } from './deliverer.ts';
import { noteNearDeadlines } from './near-deadlines.ts';

/** How often what is due is looked for; an event leaves at most so much later than its commit. */
const LOOK_MS = 500;
const NEAR_MS = 5_000;
const CLEAN_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Sends events and notices deadlines that are near, until it is stopped. */
export function startEvents(deps: PlatformDeps): { stop(): Promise<void> } {
  const deliverer = createDeliverer(deps);
  const failed = (error: unknown): void =>
    deps.log.error({ job: 'events', err: error }, 'a scheduled job failed');
  const onDuty = (ms: number, job: () => unknown) =>
    setInterval(() => {
      if (deps.services.isOnDuty()) Promise.resolve().then(job).catch(failed);
    }, ms);
  const clean = (): Promise<number> => {
    const before = toTimestamp(deps.clock.now() - deps.config.events.keepDays * DAY_MS);
    return deps.commits.add(() => deps.events.removeBefore(before));
  };
  const timers = [
    onDuty(LOOK_MS, () => deliverer.look()),
    onDuty(NEAR_MS, () => deps.commits.add(() => noteNearDeadlines(deps))),
    onDuty(CLEAN_MS, clean),
  ];
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await deliverer.stop();
    },
  };
}
