import { createStore } from '../ui/store.ts';

export interface OutputLine {
  readonly id: number;
  readonly at: number;
  readonly level: 'info' | 'error';
  readonly message: string;
}

const MAX_LINES = 500;
let lastId = 0;

/** What the window did, newest last; shown in the bottom panel. */
export const outputStore = createStore<readonly OutputLine[]>([]);

/** Adds a line to Output. */
export function writeOutput(line: {
  readonly level: OutputLine['level'];
  readonly message: string;
}) {
  lastId += 1;
  const next = { ...line, id: lastId, at: Date.now() };
  outputStore.set((lines) => [...lines, next].slice(-MAX_LINES));
}
