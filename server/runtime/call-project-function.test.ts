import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callProjectFunction, PROJECT_CALL_LIMITS } from './call-project-function.ts';
import { findProjectFunction } from './project-functions.ts';

let root: string;
const signal = new AbortController().signal;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'functions-'));
  mkdirSync(path.join(root, 'functions', 'text'), { recursive: true });
  writeFileSync(path.join(root, 'secret.txt'), 'secret');
  writeFileSync(
    path.join(root, 'functions', 'text', 'tools.ts'),
    `import { readFileSync } from 'node:fs';
import { execSync } from 'node:child_process';
export function shout(input: string): string { console.log('noise'); return input.toUpperCase(); }
export const variables = () => Object.keys(process.env).filter((key) => key !== 'ELECTRON_RUN_AS_NODE');
export const peek = () => readFileSync(${JSON.stringify(path.join(root, 'secret.txt'))}, 'utf8');
export const shell = () => execSync('id').toString();
export const hang = () => new Promise(() => setInterval(() => undefined, 1000));
export const fails = () => { throw new Error('backend offline'); };
export const large = () => 'x'.repeat(5000);
`,
  );
  symlinkSync(path.join(root, 'secret.txt'), path.join(root, 'functions', 'link.js'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function call(name: string, args: unknown[] = [], limits = {}): Promise<unknown> {
  const found = await findProjectFunction(root, `text.tools.${name}`);
  if (found === undefined) throw new Error('not found');
  return callProjectFunction(root, found, args, signal, { ...PROJECT_CALL_LIMITS, ...limits });
}

test('code of the functions folder is called with its arguments; its output is not its answer', async () => {
  expect(await call('shout', ['hello'])).toBe('HELLO');
});

test('project code inherits no variables', async () => {
  expect(await call('variables')).toEqual([]);
});

test('project code reads nothing outside its folder and starts no process', async () => {
  await expect(call('peek')).rejects.toThrow(/restricted|permission/i);
  await expect(call('shell')).rejects.toThrow(/restricted|permission/i);
});

test('project code ends at its time limit and its answer at its size', async () => {
  await expect(call('hang', [], { timeoutMs: 300 })).rejects.toMatchObject({
    facts: { timed_out: true },
  });
  await expect(call('large', [], { maxResultBytes: 1000 })).rejects.toThrow('too much');
});

test('what project code throws is the failure', async () => {
  await expect(call('fails')).rejects.toThrow('backend offline');
});

test('names that are no modules, and links out of the folder, are not found', async () => {
  for (const name of ['nodots', '..text.tools.shout', 'text/tools.shout', 'link.name', 'no.such']) {
    expect(await findProjectFunction(root, name)).toBeUndefined();
  }
});
