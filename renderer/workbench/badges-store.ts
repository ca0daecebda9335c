import type { Place } from '../app/paths.ts';
import { createStore } from '../ui/store.ts';

/** Counts on the activity rail, such as tasks that wait for a person. */
export const badgesStore = createStore<Readonly<Partial<Record<Place, number>>>>({});

/** Sets the count of one place; 0 hides it. */
export function setBadge(place: Place, count: number): void {
  badgesStore.set((badges) => (badges[place] === count ? badges : { ...badges, [place]: count }));
}
