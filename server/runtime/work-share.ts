import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** Milliseconds of work between two turns of the event loop. */
const SHARE_MS = 8;

/**
 * Work that takes long calls this before each of its parts: what it gives is to be waited for once
 * the share of this turn is used up.
 */
export function workShare(): () => Promise<void> | undefined {
  let until = performance.now() + SHARE_MS;
  return () =>
    performance.now() > until
      ? turnOfLoop().then(() => {
          until = performance.now() + SHARE_MS;
        })
      : undefined;
}
