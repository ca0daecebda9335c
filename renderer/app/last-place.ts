import { type Preferences, preferencesStore } from '../data/preferences.ts';
import { readSafe, writeSafe } from '../desktop/safe-store.ts';
import { windowFacts } from '../desktop/this-window.ts';
import { hrefOf, isAtStart } from './navigation.ts';
import { paths } from './paths.ts';

const KEY = 'open-place';

/** Remembers where a browser is, in case it is killed there; the shell knows that of its windows. */
export function rememberPlace(path: string): void {
  if (windowFacts() === null) {
    writeSafe(KEY, path);
  }
}

/** A page that is closed properly needs no such memory. Returns the function that stops it. */
export function keepPlaceOnLeave(): () => void {
  const forget = (): void => writeSafe(KEY, null, true);
  window.addEventListener('pagehide', forget);
  return () => window.removeEventListener('pagehide', forget);
}

const START: Readonly<Record<NonNullable<Preferences['start']>, () => string | null>> = {
  left: () => null,
  welcome: paths.welcome,
  overview: paths.overview,
  runs: () => paths.runs(),
  tasks: paths.tasks,
  failures: () => paths.failures(),
};

/**
 * The place that a page begins with instead of its address: what the person chose to begin with, but
 * never after a crash or a reload, where the window goes on as it was. A browser's address that names
 * a place stays.
 */
export function returnToLastPlace(): void {
  const { start = 'left' } = preferencesStore.get();
  const facts = windowFacts();
  const begins = facts === null ? isAtStart() : facts.start === 'new' || facts.start === 'quit';
  const left = facts === null ? readSafe(KEY) : undefined;
  const place = begins ? (left ?? START[start]()) : null;
  if (typeof place === 'string') {
    window.history.replaceState(null, '', hrefOf(place));
  }
}
