import { type Preferences, preferencesStore } from '../data/preferences.ts';
import { readSafe, writeSafe } from '../desktop/safe-store.ts';
import { hrefOf, isAtStart } from './navigation.ts';
import { paths } from './paths.ts';

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

const START: Readonly<Record<NonNullable<Preferences['start']>, () => string>> = {
  welcome: paths.welcome,
  overview: paths.overview,
  runs: () => paths.runs(),
  tasks: paths.tasks,
  failures: () => paths.failures(),
};

/**
 * After a crash the address is the one where the window was, else the page that the person begins
 * with; a named address stays.
 */
export function returnToLastPlace(): void {
  const { start } = preferencesStore.get();
  const place = readSafe(KEY) ?? (start === undefined ? null : START[start]());
  if (typeof place === 'string' && isAtStart()) {
    window.history.replaceState(null, '', hrefOf(place));
  }
}
