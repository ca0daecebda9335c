import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** Items of a window that are read in one turn of the event loop. */
const SLICE = 250;

/** What is made of the items, in their order; other requests get their turn between two slices. */
export async function inSlices<Item, Made>(
  items: readonly Item[],
  make: (slice: readonly Item[]) => readonly Made[],
): Promise<Made[]> {
  const made: Made[] = [];
  for (let from = 0; from < items.length; from += SLICE) {
    if (from > 0) await turnOfLoop();
    made.push(...make(items.slice(from, from + SLICE)));
  }
  return made;
}
