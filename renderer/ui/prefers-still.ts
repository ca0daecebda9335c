/** True while the person asks the system for less motion. */
export function prefersStill(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
