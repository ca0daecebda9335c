import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Where downloads of the build are kept between checkouts. */
export function cacheFolder() {
  const folder =
    process.env.SPECWRIGHT_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'specwright-build');
  mkdirSync(folder, { recursive: true });
  return folder;
}
