import { type BigIntStats, statSync } from 'node:fs';

/** Changes with every write of the file that the system said this of. */
export function versionOf({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino}:${mtimeNs}:${size}`;
}

/** Changes with every write of a file; undefined while there is none. */
export function fileVersion(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : versionOf(found);
}
