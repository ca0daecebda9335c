import { statSync } from 'node:fs';

/** Changes with every write of a file; undefined while there is none. */
export function fileVersion(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino}:${found.mtimeNs}:${found.size}`;
}
