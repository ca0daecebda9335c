import { readSafe, writeSafe } from '../desktop/safe-store.ts';
import { hrefOf, isAtStart } from './navigation.ts';

const KEY = 'open-place';

/** Remembers where the window is, in case it is killed there. */
export function rememberPlace(path: string): void {
  writeSafe(KEY, path);
}

/** A window that is closed properly needs no such memory. Returns the function that stops it. */
export function keepPlaceOnLeave(): () => void {
  const forget = (): void => writeSafe(KEY, null, true);
  window.addEventListener('pagehide', forget);
  return () => window.removeEventListener('pagehide', forget);
}

/** After a crash the address is the one where the window was; a named address stays. */
export function returnToLastPlace(): void {
  const place = readSafe(KEY);
  if (typeof place === 'string' && isAtStart()) {
    window.history.replaceState(null, '', hrefOf(place));
  }
}
