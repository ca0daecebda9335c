import { describe, expect, test } from 'vitest';
import { isScanCheaper, isWalkCheaper } from './text-costs.ts';

const MILLION = 1_000_000;
const text = (found: number, named = found) => ({ runs: 400, found, named, stored: MILLION });

describe('what finding a text costs', () => {
  test('a text of no run of the sample is looked for in the index', () => {
    expect(isWalkCheaper(text(0), MILLION, 100)).toBe(false);
    expect(isScanCheaper(text(0), MILLION, 300)).toBe(false);
  });

  test('a common text is soon met by a walk, and counted by one that ends early', () => {
    expect(isWalkCheaper(text(200), MILLION, 100)).toBe(true);
    expect(isScanCheaper(text(200), MILLION, 300)).toBe(true);
  });

  test('few runs are walked over, whatever the text', () => {
    expect(isWalkCheaper(text(0), 1000, Number.POSITIVE_INFINITY)).toBe(true);
  });

  test('a rare text of common words is not looked for in the index, which names many others', () => {
    expect(isWalkCheaper(text(1), MILLION, 100)).toBe(false);
    expect(isWalkCheaper(text(1, 200), MILLION, 100)).toBe(true);
  });

  test('an empty sample decides nothing by dividing by it', () => {
    expect(isWalkCheaper({ runs: 0, found: 0, named: 0, stored: 0 }, 0, 100)).toBe(true);
  });
});
