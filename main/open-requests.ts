import type { BrowserWindow } from 'electron';
import { EVENT, type OpenedFolder } from '../preload/desktop-api.ts';
import { readOpenedFile } from './opened-file.ts';
import { linkOfProject } from './window-record.ts';

/** What the renderer says it listens to. */
export type OpenKind = 'files' | 'folders' | 'links';

/** Files, folders and addresses that the system hands over, kept until their window listens. */
export interface OpenRequests {
  add(request: { readonly files: readonly string[]; readonly links: readonly string[] }): void;
  /** A folder became a project, or did not. */
  tell(opened: OpenedFolder): void;
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
  let folders: OpenedFolder[] = [];
  const listeners: Record<OpenKind, Set<BrowserWindow>> = {
    files: new Set(),
    folders: new Set(),
    links: new Set(),
  };

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
  const sendFolders = () => {
    folders = folders.filter((opened) => {
      const { project_id } = opened;
      const address = project_id === null ? undefined : linkOfProject(project_id);
      const window = listener('folders', address);
      window?.webContents.send(EVENT.openFolder, opened);
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
    sendFolders();
    void sendFiles();
  };
  return {
    add(request) {
      files.push(...request.files);
      links.push(...request.links);
      send();
    },
    tell(opened) {
      folders.push(opened);
      send();
    },
    attach(window, kind) {
      listeners[kind].add(window);
      send();
    },
    detach(window) {
      for (const windows of Object.values(listeners)) windows.delete(window);
    },
  };
}
