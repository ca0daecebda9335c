import { expect, test } from 'vitest';
import type { LogLine, LogPage } from '../../../preload/desktop-api.ts';
import { copiedLine, filterLines, MOST_LINES, withEarlier, withLater } from './log-model.ts';

const line = (at: number, part: Partial<LogLine> = {}): LogLine => ({
  at,
  time: '2026-01-02T03:04:05.678Z',
  level: 'info',
  source: 'services',
  text: `line ${at}`,
  fields: '',
  ...part,
});
const page = (from: number, count: number, earlier: number | null = null): LogPage => ({
  lines: Array.from({ length: count }, (_, index) => line(from + index)),
  earlier,
  end: from + count,
});
const places = ({ lines }: LogPage): number[] => lines.map(({ at }) => at);

test('pages join without a line twice or in the wrong order', () => {
  const last = page(10, 3, 10);
  const more = withEarlier(last, page(7, 4, 7));
  expect(places(more)).toEqual([7, 8, 9, 10, 11, 12]);
  expect(more).toMatchObject({ earlier: 7, end: 13 });
  const later = withLater(more, page(12, 3));
  expect(places(later)).toEqual([7, 8, 9, 10, 11, 12, 13, 14]);
  expect(later).toMatchObject({ earlier: 7, end: 15 });
});

test('a log that is followed for long lets its oldest lines go, which can be read again', () => {
  const held = withLater(page(0, MOST_LINES), page(MOST_LINES, 5));
  expect(held.lines).toHaveLength(MOST_LINES);
  expect(held.lines[0]?.at).toBe(5);
  expect(held.earlier).toBe(5);
});

test('words, levels and sources narrow the lines together', () => {
  const lines = [
    line(1, { text: 'request', fields: '{"path":"/api/me"}' }),
    line(2, { level: 'error', text: 'Request refused' }),
    line(3, { source: 'shell', level: 'error', text: 'The window ended' }),
  ];
  const found = (text: string, levels: string[] = [], sources: string[] = []) =>
    filterLines(lines, { text, levels, sources }).map(({ at }) => at);
  expect(found('')).toEqual([1, 2, 3]);
  expect(found('REQUEST')).toEqual([1, 2]);
  expect(found('me request')).toEqual([1]);
  expect(found('', ['error'])).toEqual([2, 3]);
  expect(found('', ['error'], ['shell'])).toEqual([3]);
  expect(found('nothing')).toEqual([]);
});

test('a copied line holds all that is shown of it', () => {
  expect(copiedLine(line(1, { fields: '{"a":1}' }))).toBe(
    '2026-01-02T03:04:05.678Z info services line 1 {"a":1}',
  );
  expect(copiedLine(line(1, { time: null, level: 'output' }))).toBe('- output services line 1');
});
