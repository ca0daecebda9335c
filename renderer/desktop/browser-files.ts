import { MAX_OPENED_FILE_BYTES, type OpenedFile } from '../../preload/desktop-api.ts';

/** Reads one file as strict UTF-8, with the same limits as the shell's dialog. */
export async function readPickedFile(file: File): Promise<OpenedFile> {
  if (file.size > MAX_OPENED_FILE_BYTES) {
    return { name: file.name, size: file.size, text: null, problem: 'too_large' };
  }
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return { name: file.name, size: file.size, text: null, problem: 'unreadable' };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { name: file.name, size: file.size, text, problem: null };
  } catch {
    return { name: file.name, size: file.size, text: null, problem: 'not_utf8' };
  }
}

interface PickOptions {
  readonly accept?: string;
  /** True: a folder with everything in it. */
  readonly folder?: boolean;
}

/** The browser's file dialog; resolves with an empty list when it is dismissed. */
export function pickFiles(options: PickOptions): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.accept = options.accept ?? '';
    input.webkitdirectory = options.folder === true;
    input.style.display = 'none';
    input.dataset['testid'] = options.folder === true ? 'folder-input' : 'file-input';
    const finish = (files: readonly File[]): void => {
      input.remove();
      resolve(files);
    };
    input.addEventListener('change', () => finish([...(input.files ?? [])]));
    input.addEventListener('cancel', () => finish([]));
    document.body.append(input);
    input.click();
  });
}

/** Saves a text as a download. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  downloadBlob(name, new Blob([text], { type }));
}

/** Saves a blob as a download. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
