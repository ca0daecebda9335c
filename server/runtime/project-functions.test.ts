import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasProjectFunction } from './project-functions.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'exports-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function seen(text: string, name = 'work'): Promise<boolean> {
  const file = path.join(folder, 'code.ts');
  writeFileSync(file, text);
  return hasProjectFunction({ file, name });
}

test.each([
  'export function work() {}',
  'export async function work(input: string): Promise<string> { return input; }',
  'export function* work() {}',
  'export const work = () => 1;',
  'export const other = 1, work = () => 1;',
  'export class work {}',
  'function work() {}\nexport { work };',
  'function inner() {}\nexport { other, inner as work };',
  `export * from './elsewhere.ts';`,
  'export const { work } = makeAll();',
])('decisions 8: seen as exported: %s', async (text) => {
  expect(await seen(text)).toBe(true);
});

test.each([
  'function work() {}',
  'export function workMore() {}',
  'export { work as other };',
  'export default function () {}',
  '',
])('decisions 8: not exported: %s', async (text) => {
  expect(await seen(text)).toBe(false);
});
