import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainMarkdown } from './plain-markdown.ts';
import { showdown } from './quick-showdown.ts';

const WORD = fc.constantFrom(
  ...[
    'a',
    'Word',
    'x1',
    '2024.',
    '5 > 3',
    'R&D',
    'a & b',
    '&amp;',
    '&copy',
    'é',
    '日本',
    '🙂',
    'constructor',
  ],
  ...[
    'snake_case',
    'a_b_c',
    '**bold**',
    '*it*',
    '_it_',
    '__init__',
    '**a & b**',
    '`x & y`',
    '` `',
    '`a_b*c`',
  ],
  ...[
    '[l](http://e.com/a_b?x=1&y=2)',
    '[a b](/p)',
    '[l](#x)',
    '[l](a...b)',
    'http://e.com',
    'a@b.c',
    '...',
    'wait....',
    '$5',
    '$&',
  ],
  ...['(x)', '"q"', "it's", ':smile:', 'a|b', '~~no~~', '50%', '#tag', '1)', '-5', '- x', 'x ='],
);
/** Signs that a text holds beside what it means by them. */
const SIGN = fc.constantFrom(
  ...[
    '*',
    '**',
    '_',
    '`',
    '``',
    '[',
    ']',
    '](',
    '(',
    ')',
    '!',
    '\\',
    '<b>',
    '>',
    '¨',
    '\t',
    ' ',
    '  ',
    '\r\n',
    '\n',
  ],
  ...[
    '\u00a0',
    '\u2028',
    '~~~',
    '***a***',
    '[a][b]',
    '[r]: http://e.com',
    '[l](<u>)',
    '[l](u "t")',
    '![i](x.png)',
  ],
);
const words = (odd: number) =>
  fc
    .array(fc.oneof({ weight: 20, arbitrary: WORD }, { weight: odd, arbitrary: SIGN }), {
      minLength: 1,
      maxLength: 4,
    })
    .chain((all) => fc.constantFrom(' ', ' ', ' ', '').map((between) => all.join(between)));
const line = (odd: number) =>
  fc
    .tuple(
      fc.constantFrom(
        ...['', '', '', '- ', '- ', '* ', '+ ', '1. ', '2. ', '10. ', '# ', '## ', '###### ', '#'],
        ...(odd > 0 ? ['> ', '    ', ' ', '####### ', '- - ', '- [ ] ', '1. - ', '```'] : []),
      ),
      words(odd),
    )
    .map((parts) => parts.join(''));
const text = (odd: number) =>
  fc
    .array(
      fc.oneof(
        { weight: 10, arbitrary: line(odd) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('---', '***', '___', '--', '===', '-', '* * *', '- - -'),
        },
        { weight: 4, arbitrary: fc.constant('') },
      ),
      { maxLength: 12 },
    )
    .map((lines) => lines.join('\n'));
const OPTIONS = [
  {},
  {},
  { tables: true, strikethrough: true },
  { tasklists: true, emoji: true },
  { noHeaderId: true },
];

describe('Markdown that is read in one go gives what Showdown gives', () => {
  it.each([
    ['with little else', 0, 0.15],
    ['with signs that mean something else', 1, 0.05],
    ['with many of them', 6, 0],
  ])('%s', (_, odd, share) => {
    let read = 0;
    const runs = 3_000;
    fc.assert(
      fc.property(text(odd), fc.constantFrom(...OPTIONS), (markdown, options) => {
        const plain = plainMarkdown(markdown, options);
        if (plain === null) return;
        read += 1;
        expect(plain).toBe(new showdown.Converter(options).makeHtml(markdown));
      }),
      { numRuns: runs },
    );
    expect(read / runs).toBeGreaterThanOrEqual(share);
  });

  it.each([
    '# Report for May\n\nRevenue **grew** by 5 %, see [the sheet](https://e.com/s?a=1&b=2).\n\n- one: `x`\n- two\n\n---\n\n1. a\n2. b',
    'Items:\n- *a*\n- b\n\n## Costs $5 & more...\nText at once\n# Costs $5 & more...',
  ])('as people write it: %j', (markdown) => {
    expect(plainMarkdown(markdown, {})).toBe(new showdown.Converter().makeHtml(markdown));
  });

  it.each([
    '> said',
    '- a\n  - b',
    '- a\n\n- b',
    '|a|b|\n|-|-|',
    '<b>a</b>',
    'snake_case',
    '```\na\n```',
  ])('and goes to the library else: %j', (markdown) => {
    expect(plainMarkdown(markdown, { tables: true })).toBeNull();
  });
});
