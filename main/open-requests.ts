import type { BrowserWindow } from 'electron';
import { EVENT } from '../preload/desktop-api.ts';
import { readOpenedFile } from './opened-file.ts';

/** What the renderer says it listens to. */
export type OpenKind = 'files' | 'links';

/** Files and addresses that the system hands over, kept until their window listens. */
export interface OpenRequests {
  add(request: { readonly files: readonly string[]; readonly links: readonly string[] }): void;
  attach(window: BrowserWindow, kind: OpenKind): void;
  /** The window's document goes away: what comes from now on waits for the next one. */
  detach(window: BrowserWindow): void;
}

/** `windowFor` answers the window that is to show an address, or files where it is given none. */
export function createOpenRequests(
  windowFor: (address: string | undefined) => BrowserWindow | undefined,
): OpenRequests {
  let links: string[] = [];
  let files: string[] = [];
  const listeners: Record<OpenKind, Set<BrowserWindow>> = { files: new Set(), links: new Set() };

  const listener = (kind: OpenKind, address?: string) => {
    const window = windowFor(address);
    const hears = window !== undefined && !window.isDestroyed() && listeners[kind].has(window);
    return hears ? window : undefined;
  };
  const sendLinks = () => {
    links = links.filter((address) => {
      const window = listener('links', address);
      window?.webContents.send(EVENT.openLink, address);
      return window === undefined;
    });
  };
  const sendFiles = async () => {
    const window = listener('files');
    if (window === undefined || files.length === 0) return;
    const taken = files;
    files = [];
    const read = await Promise.all(taken.map(readOpenedFile));
    if (!window.isDestroyed()) window.webContents.send(EVENT.openFiles, read);
  };
  const send = () => {
    sendLinks();
    void sendFiles();
  };
  return {
    add(request) {
      files.push(...request.files);
      links.push(...request.links);
      send();
    },
    attach(window, kind) {
      listeners[kind].add(window);
      send();
    },
    detach(window) {
      listeners.files.delete(window);
      listeners.links.delete(window);
    },
  };
}
