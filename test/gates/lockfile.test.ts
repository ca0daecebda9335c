import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const file = path.resolve(import.meta.dirname, '../../package-lock.json');
const packages: Record<string, Entry> = JSON.parse(readFileSync(file, 'utf8')).packages;

function resolves(from: string, name: string): boolean {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))
  ) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined)
      return true;
    if (folder === '') return false;
  }
}

test('the lock names every package, other platforms included, or a clean install refuses it', () => {
  const missing = Object.entries(packages).flatMap(([from, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !resolves(from, name))
      .map((name) => `${from} needs ${name}`),
  );
  expect(missing).toEqual([]);
});
