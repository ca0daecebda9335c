import type { BrowserWindow } from 'electron';
import type { ZoomChange } from '../preload/desktop-api.ts';
import type { ShellStateStore } from './shell-state.ts';
import { zoomAfter } from './zoom-sizes.ts';

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
