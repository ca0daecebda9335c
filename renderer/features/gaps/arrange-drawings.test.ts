import { describe, expect, it } from 'vitest';
import { arrange } from './arrange-drawings.ts';

describe('source and draft in one pane', () => {
  it('stand beside each other where the place of a gap is looked at', () => {
    expect(arrange('gap', 700, 300)).toBe('beside');
    expect(arrange('gap', 600, 900)).toBe('one');
  });

  it('give the whole source the width that it is drawn along', () => {
    expect(arrange('whole', 1200, 300)).toBe('beside');
    expect(arrange('whole', 652, 560)).toBe('stacked');
    expect(arrange('whole', 652, 300)).toBe('one');
  });
});
