import type { Turn } from './turn.ts';

/** Works off everything that an event set in motion, until the run waits or ends. */
export function runWork(turn: Turn): void {
  while (turn.nextWork() !== undefined) {}
}
