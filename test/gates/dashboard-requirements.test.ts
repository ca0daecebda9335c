import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** The rows of the dashboard in a page of tables: the cells of each. */
function rowsOf(file: string): string[][] {
  return readFileSync(path.join(root, 'docs', file), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| OD-'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function testFiles(): ReadonlySet<string> {
  const all = ['main', 'preload', 'renderer', 'server', 'test'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }),
  );
  return new Set(all.map((file) => path.basename(file)));
}

test('each requirement of the dashboard is told of once, with tests that exist', () => {
  const rows = rowsOf('dashboard-requirements.md');
  const facts = (row: readonly string[]) => row.slice(0, 2).join(' ');
  expect(rows.map(facts)).toEqual(rowsOf('requirements.md').map(facts));
  expect(rows).toHaveLength(162);
  const files = testFiles();
  const faults = rows.flatMap(([id = '', , wire = '', screen = '']) => [
    ...(wire === '' || screen === '' ? [`${id}: an empty cell`] : []),
    ...[...`${wire} ${screen}`.matchAll(/[\w.-]+\.(?:test|spec)\.tsx?/g)]
      .filter(([file]) => !files.has(file))
      .map(([file]) => `${id}: there is no ${file}`),
  ]);
  expect(faults).toEqual([]);
});
