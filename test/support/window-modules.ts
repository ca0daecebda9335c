// What the window is made of, as its files say it: modules, what they import and which operations
// of the contract they use.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Route } from '../../server/contract/route.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** An operation under the name that its file exports it by. */
export interface Exported {
  readonly name: string;
  readonly file: string;
  readonly route: Pick<Route, 'service' | 'id' | 'access'>;
}

/** A file of the window: its place below `renderer`, and its text. */
export interface Module {
  readonly place: string;
  readonly text: string;
}

function isOperation(value: unknown): value is Exported['route'] {
  return typeof value === 'object' && value !== null && 'service' in value && 'id' in value;
}

/** Every operation that the contract of a service declares. */
export async function operationsOf(service: string): Promise<Exported[]> {
  const folder = path.join(root, 'server/contract', service);
  const files = readdirSync(folder).filter((file) => /^[\w-]+\.ts$/.test(file));
  const found = await Promise.all(
    files.map(async (file) => {
      const module: Record<string, unknown> = await import(path.join(folder, file));
      return Object.entries(module).flatMap(([name, value]) =>
        isOperation(value) && value.service === service ? [{ name, file, route: value }] : [],
      );
    }),
  );
  return found.flat();
}

/** Every file of the window but its tests. */
export function windowModules(): Module[] {
  const folder = path.join(root, 'renderer');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((place) => ({ place, text: readFileSync(path.join(folder, place), 'utf8') }));
}

/** True when a text imports the operation from its file and uses it besides. */
export function uses(text: string, { name, file, route }: Exported): boolean {
  const word = new RegExp(`\\b${name}\\b`, 'g');
  return (
    text.includes(`/contract/${route.service}/${file}'`) && (text.match(word)?.length ?? 0) > 1
  );
}

/** The places of the modules that a module imports, at once or later. */
export function importsOf({ place, text }: Module): string[] {
  const names = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)];
  return names.map(([, name = '']) => path.posix.join(path.posix.dirname(place), name));
}
