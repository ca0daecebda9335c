import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

function thirdParty(...words: string[]) {
  const script = path.join(root, 'scripts/third-party.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

test('what is shipped has a licence that goes with MIT, and its notices are those of what is installed', () => {
  expect(thirdParty('--check')).toEqual({ status: 0, output: '' });
});

test.each([
  ['x', 'GPL-3.0-only', 1],
  ['x', 'EPL-2.0', 1],
  ['x', 'MIT AND GPL-2.0', 1],
  ['x', 'MIT OR GPL-2.0', 0],
  ['elkjs', 'EPL-2.0', 0],
])('%s under %s', (name, expression, status) => {
  expect(thirdParty('--licence', name, expression).status).toBe(status);
});

test('the notices name what the program is made of, and where the source is that must be offered', () => {
  const shipped = readFileSync(path.join(root, 'resources/third-party-notices.txt'), 'utf8');
  for (const name of ['react', 'fastify', 'monaco-editor', 'better-sqlite3', 'electron']) {
    expect(shipped).toMatch(new RegExp(`^${name}(@|$)`, 'm'));
  }
  const manifest = readFileSync(path.join(root, 'node_modules/elkjs/package.json'), 'utf8');
  const { version } = JSON.parse(manifest);
  expect(shipped).toContain(`https://github.com/kieler/elkjs/tree/${version}`);
  expect(shipped).toContain('Eclipse Public License - v 2.0');
});
