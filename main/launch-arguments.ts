import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a command line asks the window to do. */
export interface LaunchArguments {
  /** Folder given by `--data`. */
  readonly data: string | undefined;
  /** Project tree given by `--project`. */
  readonly project: string | undefined;
  readonly trust: boolean;
  /** `--safe`: nothing of projects runs, no window is put back, the usual settings hold. */
  readonly safe: boolean;
  /** `specwright://` addresses. */
  readonly links: readonly string[];
  /** Absolute paths of files to open. */
  readonly files: readonly string[];
  /** Absolute paths of folders to open as projects. */
  readonly folders: readonly string[];
}

/** An address is never a path: resolved as one, `specwright:../../x.json` would be a local file. */
const ADDRESS = /^specwright:/i;
const LINK = /^specwright:\/\//i;
const OPENABLE = /\.(?:json|ya?ml|zip)$/i;

/** Switches whose value is a word of its own. */
const WITH_VALUE: readonly (string | undefined)[] = ['--data', '--project'];

/** The path that a word names; file managers hand over `file://` addresses too, never of another computer. */
function pathOf(word: string, folder: string): string | undefined {
  if (ADDRESS.test(word)) return undefined;
  if (!/^file:/i.test(word)) return path.resolve(folder, word);
  try {
    const url = new URL(word);
    return url.host === '' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a folder stands there now. */
export function isFolder(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function optionPath(words: readonly string[], name: string, folder: string): string | undefined {
  const index = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  const word = words[index];
  if (word === undefined) return undefined;
  const value = word === name ? words[index + 1] : word.slice(name.length + 1);
  const named = value !== undefined && value !== '' && !ADDRESS.test(value);
  return named ? path.resolve(folder, value) : undefined;
}

/**
 * Reads the words after the program's name. Switches of the runtime are passed over; files are
 * recognised by their ending, because the runtime puts paths of its own among the words, and folders
 * by standing there. `ownFolder` is the program's, which a start from a checkout names.
 */
export function readLaunchArguments(
  words: readonly string[],
  folder: string,
  ownFolder: string,
): LaunchArguments {
  const plain = words.filter(
    (word, index) => !word.startsWith('-') && !WITH_VALUE.includes(words[index - 1]),
  );
  const places = plain.flatMap((word) => pathOf(word, folder) ?? []);
  const folders = places.filter((place) => place !== ownFolder && isFolder(place));
  return {
    data: optionPath(words, '--data', folder),
    project: optionPath(words, '--project', folder),
    trust: words.includes('--trust'),
    safe: words.includes('--safe'),
    links: plain.filter((word) => LINK.test(word)),
    files: places.filter((place) => OPENABLE.test(place) && !folders.includes(place)),
    folders,
  };
}
