import { refuse } from '../refusals.ts';

/** Counts the open streams of each operator in this process. */
export interface StreamSlots {
  /**
   * Takes a slot; the returned function gives it back, once.
   * @throws Refusal `service_unavailable` with `retry_after` 5 above the cap.
   */
  take(identity: string): () => void;
  /** Open streams of everybody. */
  active(): number;
}

const RETRY_AFTER_SECONDS = 5;

/** Slots with a cap per operator (contract/dashboard.md 10). */
export function createStreamSlots(cap: number): StreamSlots {
  const open = new Map<string, number>();
  return {
    take(identity) {
      const count = open.get(identity) ?? 0;
      if (count >= cap) {
        throw refuse('service_unavailable', {
          message: `At most ${cap} live streams may be open at once.`,
          retryAfter: RETRY_AFTER_SECONDS,
        });
      }
      open.set(identity, count + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (open.get(identity) ?? 1) - 1;
        if (left > 0) open.set(identity, left);
        else open.delete(identity);
      };
    },
    active: () => [...open.values()].reduce((sum, count) => sum + count, 0),
  };
}
