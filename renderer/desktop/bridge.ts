import type {
  DesktopApi,
  OpenedFile,
  OpenedFolder,
  SavedFile,
  SaveProblem,
  ServicesState,
} from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { downloadBlob, downloadText, pickFiles } from './browser-files.ts';
import { expandArchives, readPicked } from './import-files.ts';

declare global {
  interface Window {
    readonly specwright?: DesktopApi;
  }
}

export type { OpenedFile, OpenedFolder, ServicesState };

/** The shell's bridge; undefined when the page runs in a browser. */
export function desktopApi(): DesktopApi | undefined {
  return typeof window === 'undefined' ? undefined : window.specwright;
}

/** Lets the user choose files; an empty list when dismissed. */
export async function openImportFiles(): Promise<readonly OpenedFile[]> {
  const api = desktopApi();
  return api === undefined
    ? await readPicked(await pickFiles({ accept: '.json,.yml,.yaml,.zip' }))
    : await expandArchives(await api.openImportFiles());
}

/** Hands over the files that the operating system asked this window to open; answers the way out. */
export function onOpenedFiles(
  listener: (files: readonly OpenedFile[]) => void,
  onError: (error: unknown) => void,
): () => void {
  const api = desktopApi();
  return (
    api?.onOpenFiles((files) => void expandArchives(files).then(listener, onError)) ??
    (() => undefined)
  );
}

/** Lets the user choose a folder and reads the exports in it; an empty list when dismissed. */
export async function openImportFolder(): Promise<readonly OpenedFile[]> {
  return await readPicked(await pickFiles({ folder: true }));
}

const SAVE_PROBLEMS: Readonly<Record<SaveProblem, () => string>> = {
  disk_full: () => t('there is not enough space. Make room, or choose another disk.'),
  not_permitted: () => t('you may not write there. Choose another folder.'),
  not_a_file: () => t('something that is not a file has this name. Choose another name.'),
  not_written: () => t('the disk refused it. Choose another folder and try again.'),
};

/**
 * Asks where to put a file and writes it; in a browser the file is downloaded.
 * @throws Error that says what to do when it could not be written
 */
export async function saveTextFile(name: string, text: string): Promise<SavedFile> {
  const api = desktopApi();
  if (api === undefined) {
    downloadText(name, text);
    return { saved: true, name, problem: null };
  }
  return writtenOrThrow(await api.saveTextFile(name, text), name);
}

/**
 * The same for what is not a text.
 * @throws Error that says what to do when it could not be written
 */
export async function saveBinaryFile(
  name: string,
  content: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<SavedFile> {
  const api = desktopApi();
  if (api === undefined) {
    downloadBlob(name, new Blob([content], { type }));
    return { saved: true, name, problem: null };
  }
  return writtenOrThrow(await api.saveBinaryFile(name, content), name);
}

/** @throws Error that says what to do when the file could not be written */
export function writtenOrThrow(saved: SavedFile, name: string): SavedFile {
  if (saved.problem !== null) {
    throw new Error(
      t('{name} was not written: {save_problems}', {
        name: saved.name ?? name,
        save_problems: SAVE_PROBLEMS[saved.problem](),
      }),
    );
  }
  return saved;
}
