import { createStore } from '../ui/store.ts';

/** Work that goes on behind the page; named in the status bar. */
export interface BackgroundWork {
  readonly id: number;
  readonly title: string;
}

export const workStore = createStore<readonly BackgroundWork[]>([]);
let lastId = 0;

/** Shows `title` in the status bar until the promise settles; answers the promise's own outcome. */
export async function trackWork<T>(title: string, work: Promise<T>): Promise<T> {
  lastId += 1;
  const entry = { id: lastId, title };
  workStore.set((list) => [...list, entry]);
  try {
    return await work;
  } finally {
    workStore.set((list) => list.filter((item) => item !== entry));
  }
}
