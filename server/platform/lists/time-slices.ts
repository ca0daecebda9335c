import { workShare } from '../../runtime/work-share.ts';

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
