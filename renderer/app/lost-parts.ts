/** Errors of parts of the window that were not where they were when it was opened. */
const lost = new WeakSet<object>();

/** Notes parts of the window that cannot be loaded any more: the program was updated beneath it. */
export function watchLostParts(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => lost.add(payload));
}

/** True where a part of the window could not be loaded. */
export function isLostPart(error: unknown): boolean {
  return typeof error === 'object' && error !== null && lost.has(error);
}
