import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCodeTrees } from './code-trees.ts';
import { notePlaces } from './project-places.ts';
import { openTrustedFolders } from './trusted-folders.ts';

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
  projects: {
    trustFile: at('config/trust.json'),
    placesFile: at('places.json'),
    defaultRoot: at('default'),
    base: at('projects'),
  },
});
const list = () => openTrustedFolders(at('config/trust.json'));

test('each project has its own tree, and trust in one says nothing of another', () => {
  const trees = createCodeTrees(setting(false));
  expect(trees.find('p1')).toEqual({ root: at('projects/p1'), trusted: false });
  list().add(at('projects/p1'), 'now');
  expect(trees.find('p1')).toEqual({ root: at('projects/p1'), trusted: true });
  expect(trees.find('default').trusted).toBe(false);
  expect(trees.find(null)).toEqual({ root: at('spec-root'), trusted: false });
  expect(trees.find('../default')).toEqual({ root: at('spec-root'), trusted: false });
  expect(list().remove(at('projects/p1'))).toBe(true);
  expect(list().remove(at('projects/p1'))).toBe(false);
  expect(trees.find('p1').trusted).toBe(false);
});

test('a tree that belongs to no project is trusted by the same list', () => {
  const trees = createCodeTrees(setting(false));
  list().add(at('spec-root'), 'now');
  expect([trees.find(null).trusted, trees.find('p1').trusted]).toEqual([true, false]);
});

test('a project that was attached is where the studio notes it', () => {
  notePlaces(at('places.json'), { a1: at('other') });
  const trees = createCodeTrees(setting(false));
  expect(trees.find('a1')).toEqual({ root: at('other'), trusted: false });
  list().add(at('other'), 'now');
  expect(trees.find('a1').trusted).toBe(true);
});

test('--trust is about the tree of the start alone', () => {
  const trees = createCodeTrees(setting(true));
  expect(trees.find('default')).toEqual({ root: at('default'), trusted: true });
  expect(trees.find(null).trusted).toBe(true);
  expect(trees.find('p1').trusted).toBe(false);
});

test('another folder at the same place is not the one that was trusted', () => {
  list().add(at('projects/p1'), 'now');
  expect(statSync(at('config/trust.json')).mode & 0o777).toBe(0o600);
  renameSync(at('projects/p1'), at('projects/gone'));
  expect(list().has(at('projects/p1'))).toBe(false);
  mkdirSync(at('projects/p1'));
  expect(list().has(at('projects/p1'))).toBe(false);
  expect(list().has(at('projects/gone'))).toBe(false);
  expect(list().list()).toEqual([{ folder: at('projects/p1'), trusted_at: 'now', stands: false }]);
});
