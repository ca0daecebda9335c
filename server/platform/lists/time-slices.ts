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

/**
 * What is made of each item, one after another, where an item can take long: other requests get their
 * turn as soon as the share is used up.
 */
export async function oneByOne<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  const share = workShare();
  for (const [index, item] of items.entries()) {
    await share();
    made.push(make(item, index));
  }
  return made;
}
