import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Which projects' code may run, as somebody answered in the window (decisions 8). */
export interface TrustedProjects {
  /** The folder that was trusted, while it is still the same folder; undefined otherwise. */
  folderOf(projectId: string): string | undefined;
  trust(projectId: string, folder: string, at: string): void;
  revoke(projectId: string): void;
}

interface Entry {
  readonly folder: string;
  /** Device and file number: another folder at the same place is not the one that was trusted. */
  readonly identity: string;
  readonly trusted_at: string;
}

type Entries = Readonly<Record<string, Entry>>;

function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found?.isDirectory() === true ? `${found.dev}:${found.ino}` : undefined;
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  return ['folder', 'identity', 'trusted_at'].every((name) => {
    const text: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
    return typeof text === 'string';
  });
}

function readEntries(file: string): Entries {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) return {};
  const entries = Object.entries(parsed).filter((entry): entry is [string, Entry] =>
    isEntry(entry[1]),
  );
  return Object.fromEntries(entries);
}

/**
 * The answers in a file of the data folder, 0600. Each question looks at the file, since the studio
 * writes it and the platform's threads read it.
 */
export function openTrustedProjects(file: string): TrustedProjects {
  const write = (entries: Entries): void => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  return {
    folderOf(projectId) {
      const entries = readEntries(file);
      const entry = Object.hasOwn(entries, projectId) ? entries[projectId] : undefined;
      return entry !== undefined && identityOf(entry.folder) === entry.identity
        ? entry.folder
        : undefined;
    },
    trust(projectId, folder, at) {
      const identity = identityOf(folder);
      if (identity === undefined) throw new TypeError('only a folder can be trusted');
      write({ ...readEntries(file), [projectId]: { folder, identity, trusted_at: at } });
    },
    revoke(projectId) {
      const { [projectId]: _gone, ...rest } = readEntries(file);
      write(rest);
    },
  };
}
