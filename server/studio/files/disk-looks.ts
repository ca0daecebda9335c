import { lstatSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../kernel/system-code.ts';
import { type HeldFolder, holdPlace, letGo } from './held-folder.ts';
import { KnownRevisions } from './known-revisions.ts';
import { type ReadFile, readRegular, readStanding } from './read-held.ts';

/*
 * What is asked of many files at once, as one piece of work. A long one is answered in parts, so that
 * a save that came meanwhile has its turn. Runs in the disk thread.
 */

/** What was made of some files, and those for which the time was not enough. */
export interface Part<T> {
  readonly made: T[];
  readonly left: string[];
}

const SLICE_MS = 25;
const known = new KnownRevisions();

function orAbsent<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Each folder is held once; a file that cannot be looked at makes nothing. */
function inParts<T>(
  root: string,
  refs: readonly string[],
  look: (folder: HeldFolder, name: string, ref: string) => T | undefined,
): Part<T> {
  const until = performance.now() + SLICE_MS;
  const folderOf = (ref: string): string => path.posix.dirname(ref);
  const sorted = [...Map.groupBy(refs, folderOf).values()].flat();
  const made: T[] = [];
  let held: HeldFolder | undefined;
  let location: string | undefined;
  try {
    for (const [at, ref] of sorted.entries()) {
      if (at > 0 && performance.now() > until) return { made, left: sorted.slice(at) };
      if (folderOf(ref) !== location) {
        if (held !== undefined) letGo(held);
        held = undefined;
        location = folderOf(ref);
        held = orAbsent(() => holdPlace(root, ref, false).folder);
      }
      const folder = held;
      if (folder === undefined) continue;
      const thing = orAbsent(() => look(folder, path.posix.basename(ref), ref));
      if (thing !== undefined) made.push(thing);
    }
    return { made, left: [] };
  } finally {
    if (held !== undefined) letGo(held);
  }
}

function knownRevision(place: string, location: string): string | undefined {
  if (!known.has(place)) return undefined;
  const seen = lstatSync(location, { bigint: true });
  return seen.isFile() ? known.find(place, seen) : undefined;
}

function readRevision(folder: HeldFolder, name: string, place: string): string | undefined {
  const lookedAt = Date.now();
  const { found, content } = readStanding(folder, name);
  if (content !== undefined) known.keep(place, found, content.revision, lookedAt);
  return content?.revision;
}

/** Ref and revision of the regular UTF-8 files among these: a file that stands as it was read is not read again. */
export function revisionsOf(
  root: string,
  refs: readonly string[],
): Part<readonly [ref: string, revision: string]> {
  return inParts(root, refs, (folder, name, ref) => {
    const place = path.join(root, ref);
    const revision =
      knownRevision(place, path.join(folder.path, name)) ?? readRevision(folder, name, place);
    return revision === undefined ? undefined : [ref, revision];
  });
}

/** The regular UTF-8 files among these, whole. */
export function contentsOf(
  root: string,
  refs: readonly string[],
): Part<readonly [ref: string, content: ReadFile]> {
  return inParts(root, refs, (folder, name, ref) => {
    const content = readRegular(folder, name);
    return content && [ref, content];
  });
}

/** Those of the refs at which a plain file stands; none of the files is read. */
export function filesAmong(root: string, refs: readonly string[]): Part<string> {
  return inParts(root, refs, (folder, name, ref) =>
    lstatSync(path.join(folder.path, name)).isFile() ? ref : undefined,
  );
}
