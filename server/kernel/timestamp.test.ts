import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQueryTimestamp, parseTimestamp, toTimestamp } from './timestamp.ts';

describe('toTimestamp', () => {
  test('always has microseconds and the zero offset (decisions 11)', () => {
    expect(toTimestamp(0)).toBe('1970-01-01T00:00:00.000000+00:00');
    expect(toTimestamp(1_795_226_641_907.916)).toMatch(/\.907916\+00:00$|\.907915\+00:00$/);
  });

  test('sorts as text in the order of time, and parses back', () => {
    const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(time, time, (a, b) => {
        expect(toTimestamp(a) < toTimestamp(b)).toBe(a < b);
        expect(parseTimestamp(toTimestamp(a))).toBe(a);
      }),
    );
  });
});

describe('parseTimestamp', () => {
  test.each([
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2026-11-21T02:04:01Z', Date.UTC(2026, 10, 21, 2, 4, 1)],
    ['2026-11-21 02:04', Date.UTC(2026, 10, 21, 2, 4)],
    ['2026-11-21T02:04:01.5+02:00', Date.UTC(2026, 10, 21, 0, 4, 1, 500)],
    ['2026-11-21T02:04:01-0130', Date.UTC(2026, 10, 21, 3, 34, 1)],
    ['20261121', Date.UTC(2026, 10, 21)],
    ['20261121T020401Z', Date.UTC(2026, 10, 21, 2, 4, 1)],
    ['2026-11-21t02z', Date.UTC(2026, 10, 21, 2)],
    ['2026-11-21T02:04:01,25', Date.UTC(2026, 10, 21, 2, 4, 1, 250)],
    ['2026-W47-6', Date.UTC(2026, 10, 21)],
    ['2026W47', Date.UTC(2026, 10, 16)],
    ['2026-W53-7', Date.UTC(2027, 0, 3)],
    ['0001-01-01', -62_135_596_800_000],
    ['9999-12-31T23:59:59.999999', 253_402_300_799_999],
  ])('%s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected);
  });

  test.each([
    'yesterday',
    '',
    '2026-02-30',
    '2026-13-01',
    '2026-11-21T24:00:00',
    '12',
    '1763690400',
    '2026-11',
    '2026-11-21T',
    '2026-11-21T02:60',
    '2025-W53-1',
    '2026-W00-1',
    '0000-01-01',
    '9999-12-31T23:59:59-01:00',
    '2026-11-21T02:04:01+25:00',
  ])('%s is no timestamp', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

test('a stored time that is parsed and written again is the same text', () => {
  for (let micros = 0; micros < 1_000_000; micros += 997) {
    const text = `2026-12-01T09:10:20.${String(micros).padStart(6, '0')}+00:00`;
    expect(toTimestamp(parseTimestamp(text) ?? 0)).toBe(text);
  }
  expect(toTimestamp(parseTimestamp('2026-12-01T09:10:20.9999999Z') ?? 0)).toBe(
    '2026-12-01T09:10:21.000000+00:00',
  );
});

test('an offset is less than a day', () => {
  expect(parseTimestamp('2026-01-01T00:00:00+99:00')).toBeUndefined();
  expect(parseTimestamp('2026-01-01T00:00:00+01:60')).toBeUndefined();
  expect(parseTimestamp('2026-01-01T00:00:00-23:59')).toBeDefined();
});

test('a plus of a query that nobody encoded is read as one, and a space before a time as a space', () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  expect(parseQueryTimestamp('2026-11-21T13:00:00 01:00')).toBe(noon);
  expect(parseQueryTimestamp('2026-11-21T13:00 0100')).toBe(noon);
  expect(parseQueryTimestamp('2026-11-21 12:00')).toBe(noon);
  expect(parseQueryTimestamp('2026-11-21 1200')).toBe(noon);
  expect(parseQueryTimestamp('noon 01:00')).toBeUndefined();
});
