import type { RunEvent } from './event.ts';
import type { Turn } from './turn.ts';

export function handleEvent(_turn: Turn, _event: RunEvent): boolean {
  return false;
}
