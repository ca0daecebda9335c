import { expect, test } from 'vitest';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import type { TreeEntry } from '../../../../server/contract/studio/tree.ts';
import { foundSpecs, projectFiles, rowAfterKey, treeRows } from './tree-rows.ts';

const draft = (ref: string, revision: string | null = 'r'): DraftSummary => ({
  ref,
  kind: 'spec',
  capabilities: 'read_write',
  registered_at: '',
  revision,
  analysis_ids: [],
  can_assert_not_applicable: false,
  not_applicable_asserted: false,
});
const entry = (ref: string, spec = true): TreeEntry => ({
  ref,
  size: 1,
  generated: ref.startsWith('.studio/'),
  registered: false,
  kind: null,
  capabilities: null,
  origin: null,
  spec,
});

const FILES = projectFiles(
  [draft('.studio/drafts/own.yaml'), draft('flows/a10.yaml'), draft('flows/gone.yaml', null)],
  [
    entry('flows/a10.yaml'),
    entry('flows/a9.yaml'),
    entry('other/deep/b.yaml'),
    entry('zed.json', false),
    entry('.studio/drafts/left.yaml'),
  ],
);
const shown = (rows: ReturnType<typeof treeRows>) =>
  rows.map(
    ({ name, level, position, size }) => `${'  '.repeat(level - 1)}${name} ${position}/${size}`,
  );

test('drafts stand first, folders before files, closed ones hide what is in them', () => {
  expect(shown(treeRows(FILES, new Map()))).toEqual([
    'Drafts 1/2',
    '  own.yaml 1/1',
    'Project files 2/2',
    '  flows 1/3',
    '    a9.yaml 1/3',
    '    a10.yaml 2/3',
    '    gone.yaml 3/3',
    '  other 2/3',
    '  zed.json 3/3',
  ]);
  const opened = new Map([
    ['group:drafts', false],
    ['folder:flows', false],
    ['folder:other', true],
  ]);
  expect(shown(treeRows(FILES, opened))).toEqual([
    'Drafts 1/2',
    'Project files 2/2',
    '  flows 1/3',
    '  other 2/3',
    '    deep 1/1',
    '  zed.json 3/3',
  ]);
});

test('the specs that could be added are told for each folder, drafts without a file as missing', () => {
  const rows = treeRows(FILES, new Map());
  const folder = rows.find(({ key }) => key === 'folder:other');
  expect(folder).toMatchObject({ type: 'folder', found: ['other/deep/b.yaml'], open: false });
  expect(foundSpecs(FILES)).toEqual(['flows/a9.yaml', 'other/deep/b.yaml']);
  expect(FILES.filter(({ missing }) => missing).map(({ ref }) => ref)).toEqual(['flows/gone.yaml']);
});

test('keys walk the rows as trees do', () => {
  const rows = treeRows(FILES, new Map());
  const name = (index: number) => rows[index]?.name;
  expect(name(rowAfterKey(rows, 0, 'ArrowRight'))).toBe('own.yaml');
  expect(name(rowAfterKey(rows, 5, 'ArrowLeft'))).toBe('flows');
  expect(name(rowAfterKey(rows, 3, 'ArrowLeft'))).toBe('Project files');
  expect(rowAfterKey(rows, 0, 'ArrowLeft')).toBe(0);
  expect(name(rowAfterKey(rows, 0, 'End'))).toBe('zed.json');
  expect(rowAfterKey(rows, 8, 'ArrowDown')).toBe(8);
  expect(name(rowAfterKey(rows, 0, 'a'))).toBe('a9.yaml');
  expect(name(rowAfterKey(rows, 5, 'A'))).toBe('a9.yaml');
  expect(rowAfterKey(rows, 2, 'Tab')).toBe(2);
});

test('5,000 files make their rows in a moment', () => {
  const entries = Array.from({ length: 5000 }, (_, n) => entry(`d${n % 50}/f${n}.yaml`));
  const opened = new Map(entries.map((_, n) => [`folder:d${n % 50}`, true]));
  const begun = performance.now();
  expect(treeRows(projectFiles([], entries), opened)).toHaveLength(5051);
  expect(performance.now() - begun).toBeLessThan(1000);
});
