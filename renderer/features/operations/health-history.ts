import type { PlatformHealth } from '../../../server/contract/dashboard/probes.ts';
import { createStore } from '../../ui/store.ts';

export type HealthState = 'ready' | 'impaired' | 'degraded' | 'down' | 'unknown';

/** One look at the platform. */
export interface HealthLook {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly state: HealthState;
}

/** So many looks are kept: an hour of one every ten seconds. */
const MOST = 360;

/** Looks of this session of the window, oldest first. */
export const healthLooks = createStore<readonly HealthLook[]>([]);

/**
 * What an answer says as a whole: a platform that takes runs while a part of it is not well is
 * impaired, one that takes none, or does not answer for its parts, is degraded.
 */
export function stateOf({ probes, subsystems }: PlatformHealth): HealthState {
  if (!probes.livez) {
    return 'down';
  }
  if (!probes.readyz || !probes.healthz) {
    return 'degraded';
  }
  return subsystems.every(({ ok, degraded }) => ok && !degraded) ? 'ready' : 'impaired';
}

/** The looks with one more; the oldest go, and a look at the same instant counts once. */
export function withLook(looks: readonly HealthLook[], look: HealthLook): readonly HealthLook[] {
  return looks.at(-1)?.at === look.at ? looks : [...looks, look].slice(-MOST);
}

/** Times in which the platform was not ready: when each began, and when it ended if it did. */
export function outages(
  looks: readonly HealthLook[],
): readonly { readonly from: number; readonly until: number | undefined }[] {
  const found: { from: number; until: number | undefined }[] = [];
  let open: { from: number; until: number | undefined } | undefined;
  for (const { at, state } of looks) {
    if (state === 'ready') {
      if (open !== undefined) {
        open.until = at;
      }
      open = undefined;
    } else if (open === undefined) {
      open = { from: at, until: undefined };
      found.push(open);
    }
  }
  return found;
}

/** When the platform was last seen ready in this session, in epoch milliseconds. */
export function lastReady(looks: readonly HealthLook[]): number | undefined {
  return looks.findLast(({ state }) => state === 'ready')?.at;
}
