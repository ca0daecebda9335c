import { refuse } from '../refusals.ts';

/** Who opens a stream. */
export interface StreamOwner {
  readonly identity: string;
  /** The window that it is for, where one of many persons is told from the next by it alone. */
  readonly window: string | undefined;
}

/** Counts the open streams of each operator in this process. */
export interface StreamSlots {
  /**
   * Takes a slot; the returned function gives it back, once.
   * @throws Refusal `service_unavailable` with `retry_after` 5 above the cap.
   */
  take(owner: StreamOwner): () => void;
  /** Open streams of everybody. */
  active(): number;
}

const RETRY_AFTER_SECONDS = 5;
/** Windows of one identity that may each have as many streams as the cap says. */
const WINDOWS = 20;

/** Counts by key; a count that comes to nothing is forgotten. */
function createCounts() {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    add(key: string, amount: 1 | -1): void {
      const left = of(key) + amount;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
    sum: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}

/** Slots with a cap per operator, or per window of one (contract/dashboard.md 10). */
export function createStreamSlots(cap: number): StreamSlots {
  const byIdentity = createCounts();
  const byWindow = createCounts();
  return {
    take({ identity, window }) {
      const key = JSON.stringify([identity, window ?? null]);
      const isFull = byWindow.of(key) >= cap || byIdentity.of(identity) >= cap * WINDOWS;
      if (isFull) {
        throw refuse('service_unavailable', {
          message: `At most ${cap} live streams may be open at once.`,
          retryAfter: RETRY_AFTER_SECONDS,
        });
      }
      byIdentity.add(identity, 1);
      byWindow.add(key, 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        byIdentity.add(identity, -1);
        byWindow.add(key, -1);
      };
    },
    active: byIdentity.sum,
  };
}
