import type { Clock } from '../../kernel/clock.ts';

/** A clock that is slewed gains or loses far less between two looks. */
const JUMP_MS = 2000;

/**
 * Tells whether the clock was set, or the machine slept, since the last look: then what was counted
 * by the clock, such as a lease, says nothing about who is alive.
 */
export function createJumpWatch(clock: Clock): () => boolean {
  let offset = clock.now() - performance.now();
  return () => {
    const now = clock.now() - performance.now();
    const jumped = Math.abs(now - offset) > JUMP_MS;
    offset = now;
    return jumped;
  };
}
