/** One of several things that the same is done with. */
export interface BulkItem {
  readonly id: string;
  /** What a person calls it. */
  readonly label: string;
}

/** How far the work has come with each thing; a failure says why. */
export type BulkStep =
  | { readonly state: 'waiting' | 'busy' }
  | { readonly state: 'done'; readonly note: string }
  | { readonly state: 'failed'; readonly note: string };

export interface BulkSum {
  readonly done: number;
  readonly failed: number;
  readonly left: number;
}

/** So many are worked at together, so that a hundred choices are not a hundred requests at once. */
const AT_ONCE = 4;

/**
 * Works through the items in their order, a few at a time, and tells each step. What fails does not
 * stop the others. After `signal` nothing more is begun; what was begun ends.
 */
export async function workThrough<Item extends BulkItem>(
  items: readonly Item[],
  work: (item: Item) => Promise<string>,
  options: {
    readonly tell: (id: string, step: BulkStep) => void;
    readonly messageOf: (error: unknown) => string;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  const { tell, messageOf, signal } = options;
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (signal?.aborted === true) {
        return;
      }
      tell(item.id, { state: 'busy' });
      try {
        tell(item.id, { state: 'done', note: await work(item) });
      } catch (error) {
        tell(item.id, { state: 'failed', note: messageOf(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** How many are done, failed, and not over. */
export function sumOf(steps: Iterable<BulkStep>): BulkSum {
  let [done, failed, left] = [0, 0, 0];
  for (const { state } of steps) {
    if (state === 'done') {
      done += 1;
    } else if (state === 'failed') {
      failed += 1;
    } else {
      left += 1;
    }
  }
  return { done, failed, left };
}
