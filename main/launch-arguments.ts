import path from 'node:path';

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
}

/** An address is never a path: resolved as one, `specwright:../../x.json` would be a local file. */
const ADDRESS = /^specwright:/i;
const LINK = /^specwright:\/\//i;
const OPENABLE = /\.(?:json|ya?ml|zip)$/i;

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
 * recognised by their ending, because the runtime puts paths of its own among the words.
 */
export function readLaunchArguments(words: readonly string[], folder: string): LaunchArguments {
  const plain = words.filter((word) => !word.startsWith('-'));
  return {
    data: optionPath(words, '--data', folder),
    project: optionPath(words, '--project', folder),
    trust: words.includes('--trust'),
    safe: words.includes('--safe'),
    links: plain.filter((word) => LINK.test(word)),
    files: plain
      .filter((word) => OPENABLE.test(word) && !ADDRESS.test(word))
      .map((word) => path.resolve(folder, word)),
  };
}
