/** Times of the first wait by which each further one is longer. */
const GROWTH = 4;
const LONGEST_SECONDS = 6 * 3600;
/** Part of a wait that is left to chance, so that many that failed at once do not come at once. */
const JITTER = 0.5;

/**
 * Seconds to wait after so many attempts that failed; `chance` is from 0 to 1.
 * @example retryDelay(1, 5, 1) // 5, then 20, 80, 320 … up to six hours
 */
export function retryDelay(attempts: number, firstSeconds: number, chance: number): number {
  const whole = Math.min(LONGEST_SECONDS, firstSeconds * GROWTH ** (attempts - 1));
  return whole * (1 - JITTER + JITTER * chance);
}
