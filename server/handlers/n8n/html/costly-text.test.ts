import { describe, expect, it } from 'vitest';
import { refuseCostlyMarkup, refuseDeepHtml } from './costly-text.ts';

describe('a text that would hold the service up is refused', () => {
  it.each([
    ['`'.repeat(4_000), 'one sign in a row'],
    ['>'.repeat(4_000), 'one sign in a row'],
    ['[a]('.repeat(2_000), 'does not close'],
    ['<a '.repeat(2_000), 'does not close'],
    ['!['.repeat(2_000), 'does not close'],
    ['<div>'.repeat(1_000), 'inside one another'],
    ['<b>'.repeat(1_000), 'inside one another'],
    ['a'.repeat(1_000_001), 'longer than'],
  ])('%#', (text, words) => {
    expect(() => refuseCostlyMarkup(text)).toThrow(words);
  });

  it('and one that people write is not', () => {
    const row = '| a | `b` | [c](http://d.e) ![f](g.png) |\n';
    const list = '<ul>'.concat('<li><b>x</b><br>'.repeat(2_000), '</ul>');
    const text = `# T\n\n${row.repeat(2_000)}${'-'.repeat(400)}\n${list}\n\n> quoted > text`;
    expect(() => refuseCostlyMarkup(text)).not.toThrow();
    expect(() => refuseDeepHtml('<p>'.repeat(10_000))).not.toThrow();
  });
});
