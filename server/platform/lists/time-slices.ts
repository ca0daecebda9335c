import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** Milliseconds of work between two turns of the event loop. */
const SHARE_MS = 8;

/**
 * What is made of each item, one after another, where an item can take long: other requests get their
 * turn as soon as the share is used up.
 */
export async function oneByOne<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  let until = performance.now() + SHARE_MS;
  for (const [index, item] of items.entries()) {
    if (performance.now() > until) {
      await turnOfLoop();
      until = performance.now() + SHARE_MS;
    }
    made.push(make(item, index));
  }
  return made;
}
