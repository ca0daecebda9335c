import type { BrowserWindow } from 'electron';
import { EVENT, type Incident } from '../preload/desktop-api.ts';

/** What went wrong and is mended, told to one window, once. */
export interface Incidents {
  /** Tells a window; without one, the next that listens. */
  add(incident: Incident, window?: BrowserWindow): void;
  /** The window's document listens now. */
  attach(window: BrowserWindow): void;
  /** The window's document goes away: what it was not told yet waits for the next one. */
  detach(window: BrowserWindow): void;
}

/** `first` is the window that is told what concerns no single one. */
export function createIncidents(first: () => BrowserWindow | undefined): Incidents {
  let waiting: { readonly incident: Incident; readonly window: BrowserWindow | undefined }[] = [];
  const listeners = new Set<BrowserWindow>();
  const send = (): void => {
    waiting = waiting.filter(({ incident, window }) => {
      const gone = window?.isDestroyed() === true;
      const goal = window === undefined || gone ? first() : window;
      if (goal === undefined || goal.isDestroyed() || !listeners.has(goal)) return true;
      goal.webContents.send(EVENT.incident, incident);
      return false;
    });
  };
  return {
    add(incident, window) {
      waiting.push({ incident, window });
      send();
    },
    attach(window) {
      listeners.add(window);
      send();
    },
    detach(window) {
      listeners.delete(window);
    },
  };
}
