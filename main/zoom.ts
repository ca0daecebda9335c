import type { BrowserWindow } from 'electron';
import { ZOOM_SIZES, type ZoomChange } from '../preload/desktop-api.ts';
import type { ShellStateStore } from './shell-state.ts';

const OWN_SIZE = 100;

/** The size of the list that is nearest to a number of percent. */
export function readZoom(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return OWN_SIZE;
  const [nearest = OWN_SIZE] = ZOOM_SIZES.toSorted(
    (one, other) => Math.abs(one - value) - Math.abs(other - value),
  );
  return nearest;
}

/** The size after a change; the largest and the smallest stay. */
export function zoomAfter(now: number, change: ZoomChange): number {
  if (change === 'reset') return OWN_SIZE;
  if (change === 'in') return ZOOM_SIZES.find((size) => size > now) ?? now;
  if (change === 'out') return ZOOM_SIZES.findLast((size) => size < now) ?? now;
  return readZoom(change);
}

/** How large the windows are drawn: kept over restarts, the same for all of them. */
export interface Zoom {
  readonly percent: number;
  set(change: ZoomChange): void;
  /** Draws a window in the size that holds, and each later document of it. */
  follow(window: BrowserWindow): void;
}

export function createZoom(
  state: ShellStateStore,
  windows: () => readonly BrowserWindow[],
  onChange: (percent: number) => void,
): Zoom {
  const draw = (window: BrowserWindow) => window.webContents.setZoomFactor(state.value.zoom / 100);
  return {
    get percent() {
      return state.value.zoom;
    },
    set(change) {
      const zoom = zoomAfter(state.value.zoom, change);
      state.update({ zoom });
      for (const window of windows()) draw(window);
      onChange(zoom);
    },
    follow(window) {
      // Before the first paint of a document, so that nothing jumps.
      window.webContents.on('did-navigate', () => draw(window));
    },
  };
}
