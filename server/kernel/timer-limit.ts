/** The longest time that a timer takes, in milliseconds (24.8 days); a longer one would end at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A time for a timer, in milliseconds: as long as one takes when more is asked for. */
export function timerMs(seconds: number): number {
  return Math.min(seconds * 1000, MAX_TIMER_MS);
}
