import { createStore } from '../ui/store.ts';

/** The project whose trust question is open; null while it is closed. */
export const trustRequestStore = createStore<string | null>(null);
