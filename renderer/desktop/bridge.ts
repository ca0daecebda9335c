import type {
  DesktopApi,
  OpenedFile,
  SavedFile,
  ServicesState,
} from '../../preload/desktop-api.ts';
import { downloadText, pickFiles, readPickedFile } from './browser-files.ts';

declare global {
  interface Window {
    readonly specwright?: DesktopApi;
  }
}

export type { OpenedFile, ServicesState };

/** The shell's bridge; undefined when the page runs in a browser. */
export function desktopApi(): DesktopApi | undefined {
  return typeof window === 'undefined' ? undefined : window.specwright;
}

/** Lets the user choose files; an empty list when dismissed. */
export async function openImportFiles(): Promise<readonly OpenedFile[]> {
  const api = desktopApi();
  return api === undefined ? await pickFiles('.json,.yml,.yaml') : await api.openImportFiles();
}

/** Reads files that were dropped on the window. */
export async function readDroppedFiles(files: readonly File[]): Promise<readonly OpenedFile[]> {
  return await Promise.all(files.map(readPickedFile));
}

/** Asks where to put a file and writes it; in a browser the file is downloaded. */
export async function saveTextFile(name: string, text: string): Promise<SavedFile> {
  const api = desktopApi();
  if (api !== undefined) {
    return await api.saveTextFile(name, text);
  }
  downloadText(name, text);
  return { saved: true, name };
}
