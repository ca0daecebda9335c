import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../kernel/json.ts';

/** Files that are shipped beside the program, in a checkout and in a package alike. */
export interface AppFiles {
  readonly migrations: string;
  readonly ui: string;
  readonly resources: string;
  readonly version: string;
}

function findRoot(start: string): string {
  let folder = start;
  while (!existsSync(path.join(folder, 'migrations', 'platform'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('the program is incomplete: its migrations are missing');
    folder = parent;
  }
  return folder;
}

function readVersion(root: string): string {
  const value: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return isObject(value) && typeof value['version'] === 'string' ? value['version'] : '0.0.0';
}

/** Finds the shipped files above the running module, so that no start depends on the working folder. */
export function findAppFiles(start: string = import.meta.dirname): AppFiles {
  const root = findRoot(start);
  return {
    migrations: path.join(root, 'migrations'),
    ui: path.join(root, 'out', 'renderer'),
    resources: path.join(root, 'resources'),
    version: readVersion(root),
  };
}
