import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The file of a thread's entry: beside its starter in a checkout, at the top of the bundle in a build.
 * Undefined when this program was put together without it.
 */
export function threadFile(name: string, folder: string): string | undefined {
  const places = [
    path.join(folder, `${name}.ts`),
    path.join(folder, `${name}.mjs`),
    path.join(path.dirname(folder), `${name}.mjs`),
  ];
  return places.find((file) => existsSync(file));
}
