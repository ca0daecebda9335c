import type { BrowserWindow } from 'electron';
import { EVENT } from '../preload/desktop-api.ts';
import type { LaunchArguments } from './launch-arguments.ts';
import { readOpenedFile } from './opened-file.ts';

/** What the renderer says it listens to. */
export type OpenKind = 'files' | 'links';

/** Files and addresses that the system hands over, kept until the window listens. */
export interface OpenRequests {
  add(request: Pick<LaunchArguments, OpenKind>): void;
  attach(window: BrowserWindow, kind: OpenKind): void;
  /** The document goes away: what comes from now on waits for the next one. */
  detach(): void;
}

export function createOpenRequests(): OpenRequests {
  const waiting: Record<OpenKind, string[]> = { files: [], links: [] };
  const listeners = new Map<OpenKind, BrowserWindow>();

  const take = (kind: OpenKind) => {
    const taken = waiting[kind];
    waiting[kind] = [];
    return taken;
  };
  const flush = async (kind: OpenKind) => {
    const window = listeners.get(kind);
    if (window === undefined || window.isDestroyed() || waiting[kind].length === 0) return;
    const taken = take(kind);
    if (kind === 'links') {
      for (const address of taken) window.webContents.send(EVENT.openLink, address);
      return;
    }
    const files = await Promise.all(taken.map(readOpenedFile));
    if (!window.isDestroyed()) window.webContents.send(EVENT.openFiles, files);
  };
  return {
    add(request) {
      waiting.files.push(...request.files);
      waiting.links.push(...request.links);
      void flush('files');
      void flush('links');
    },
    attach(window, kind) {
      listeners.set(kind, window);
      void flush(kind);
    },
    detach() {
      listeners.clear();
    },
  };
}
