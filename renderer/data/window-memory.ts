/**
 * What a window remembers over a reload. A tab is a window of its own, and what it knew goes with it;
 * the program has one window, which is opened again. Undefined outside of both.
 */
export function windowMemory(): Storage | undefined {
  const { location, localStorage, sessionStorage } = globalThis.window ?? {};
  return location?.protocol === 'app:' ? localStorage : sessionStorage;
}
