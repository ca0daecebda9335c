import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCodeTrees } from './code-trees.ts';
import { openTrustedProjects } from './trusted-projects.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'trees-'));
  for (const name of ['default', 'other', 'projects/p1', 'spec-root']) {
    mkdirSync(path.join(folder, name), { recursive: true });
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);
const setting = (trusted: boolean) => ({
  specRoot: at('spec-root'),
  trusted,
  projects: { trustFile: at('trust.json'), defaultRoot: at('default'), base: at('projects') },
});

test('each project has its own tree, and trust in one says nothing of another', () => {
  const trees = createCodeTrees(setting(false));
  expect(trees.find('p1')).toEqual({ root: at('projects/p1'), trusted: false });
  openTrustedProjects(at('trust.json')).trust('p1', at('projects/p1'), 'now');
  expect(trees.find('p1')).toEqual({ root: at('projects/p1'), trusted: true });
  expect(trees.find('default').trusted).toBe(false);
  expect(trees.find(null)).toEqual({ root: at('spec-root'), trusted: false });
  expect(trees.find('../default')).toEqual({ root: at('spec-root'), trusted: false });
  openTrustedProjects(at('trust.json')).revoke('p1');
  expect(trees.find('p1').trusted).toBe(false);
});

test('--trust is about the tree of the start alone', () => {
  const trees = createCodeTrees(setting(true));
  expect(trees.find('default')).toEqual({ root: at('default'), trusted: true });
  expect(trees.find(null).trusted).toBe(true);
  expect(trees.find('p1').trusted).toBe(false);
});

test('another folder at the same place is not the one that was trusted', () => {
  const answers = openTrustedProjects(at('trust.json'));
  answers.trust('p1', at('projects/p1'), 'now');
  expect(statSync(at('trust.json')).mode & 0o777).toBe(0o600);
  renameSync(at('projects/p1'), at('projects/gone'));
  expect(answers.folderOf('p1')).toBeUndefined();
  mkdirSync(at('projects/p1'));
  expect(answers.folderOf('p1')).toBeUndefined();
});
