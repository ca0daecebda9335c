import { expect, test } from 'vitest';
import { findItems, type PaletteItem } from './palette-filter.ts';

const item = (group: string, title: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id: `${group}:${title}`,
  group,
  title,
  run: () => undefined,
  ...more,
});
const all = [
  ...Array.from({ length: 9 }, (_, at) => item('Runs', `triage …00000${at}`)),
  item('Runs', 'gate …abc123', { detail: 'failed · no such agent', keywords: ['01a2-abc123'] }),
  item('Projects', 'Support'),
  item('Settings', 'Model providers', { detail: 'Keys that models are called with' }),
  item('Go to', 'Runs'),
  item('View', 'Dark theme'),
];
const titles = (text: string) =>
  findItems(all, text).flatMap(({ items }) => items.map((i) => i.title));

test('before anything is typed: a few of each kind, and every command', () => {
  expect(titles('')).toHaveLength(4 + 1 + 1 + 2);
});

test('runs, projects and settings are found by any of their words, in any order', () => {
  expect(titles('agent gate')).toEqual(['gate …abc123']);
  expect(titles('01a2-abc')).toEqual(['gate …abc123']);
  expect(titles('keys')).toEqual(['Model providers']);
  expect(titles('supp')).toEqual(['Support']);
  expect(titles('nothing of it')).toEqual([]);
});

test('a title that begins with the text stands before one that only mentions it', () => {
  expect(findItems(all, 'runs')[0]).toMatchObject({ group: 'Go to' });
});
