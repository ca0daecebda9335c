import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { replaceFileSync } from '../files/durable-write.ts';
import { fileVersion } from '../files/file-version.ts';
import { isObject } from '../kernel/json.ts';
import { systemCode } from '../kernel/system-code.ts';

/** What to do about a folder that is not trusted; a sentence for whoever was refused. */
export const HOW_TO_TRUST =
  'Look at what is in its folder, then trust it: “Not trusted” in the status bar of the window, "specwright trust add" in that folder, or --trust for one start.';

/** One folder that somebody trusts. */
export interface TrustedFolder {
  readonly folder: string;
  readonly trusted_at: string;
  /** False: another folder stands at its place now, or none; it is not trusted. */
  readonly stands: boolean;
}

/** The folders that a person trusts (decisions 8): one list for window, services and command line. */
export interface TrustedFolders {
  /** True for a folder on the list, while it is still the same folder. */
  has(folder: string): boolean;
  list(): readonly TrustedFolder[];
  /** @throws TypeError when it is no folder. */
  add(folder: string, at: string): void;
  /** Takes a folder off, by its place or as the folder that it is; false when it was not on the list. */
  remove(folder: string): boolean;
  /** Changes with every change of the list. */
  version(): string | undefined;
}

interface Entry {
  readonly folder: string;
  /**
   * Device, file number and birth: another folder at the same place is not the one that was trusted
   * (decision record 0036).
   */
  readonly identity: string;
  readonly trusted_at: string;
}

function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found?.isDirectory() === true
    ? `${found.dev}:${found.ino}:${found.birthtimeNs}`
    : undefined;
}

function isEntry(value: unknown): value is Entry {
  if (!isObject(value)) return false;
  return ['folder', 'identity', 'trusted_at'].every((name) => typeof value[name] === 'string');
}

function readEntries(file: string): readonly Entry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const parsed: unknown = JSON.parse(text);
  const folders: unknown = isObject(parsed) ? parsed['folders'] : undefined;
  return Array.isArray(folders) ? folders.filter(isEntry) : [];
}

/** The list in a file, 0600. A change that another process makes counts at the next question. */
export function openTrustedFolders(file: string): TrustedFolders {
  let seen: string | undefined;
  let known: readonly Entry[] = [];
  const entries = (): readonly Entry[] => {
    const version = fileVersion(file);
    if (version !== seen) {
      known = readEntries(file);
      seen = version;
    }
    return known;
  };
  const write = (folders: readonly Entry[]): void => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify({ format: 'trusted-folders/1', folders }, null, 2)}\n`;
    replaceFileSync(file, text, { mode: 0o600 });
  };
  /** Entries of other folders: one way to a folder is as good as another, a link or other letters. */
  const others = (folder: string): readonly Entry[] => {
    const identity = identityOf(folder);
    return readEntries(file).filter(
      (entry) => entry.folder !== folder && entry.identity !== identity,
    );
  };
  const stands = ({ folder, identity }: Entry): boolean => identityOf(folder) === identity;
  return {
    has(folder) {
      const listed = entries();
      const identity = listed.length === 0 ? undefined : identityOf(folder);
      return listed.some((entry) => entry.identity === identity && stands(entry));
    },
    list: () =>
      entries().map((entry) => ({
        folder: entry.folder,
        trusted_at: entry.trusted_at,
        stands: stands(entry),
      })),
    add(folder, at) {
      const identity = identityOf(folder);
      if (identity === undefined) throw new TypeError('only a folder can be trusted');
      write([...others(folder), { folder, identity, trusted_at: at }]);
    },
    remove(folder) {
      const rest = others(folder);
      if (rest.length === readEntries(file).length) return false;
      write(rest);
      return true;
    },
    version: () => fileVersion(file),
  };
}
