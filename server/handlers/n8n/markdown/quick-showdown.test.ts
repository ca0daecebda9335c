import { createRequire } from 'node:module';
import fc from 'fast-check';
import type plainShowdown from 'showdown';
import { expect, test } from 'vitest';
import { showdown } from './quick-showdown.ts';

const require = createRequire(import.meta.url);

/** The library once more, as it came: the one that is imported has been changed. */
function untouched(): typeof plainShowdown {
  const file = require.resolve('showdown');
  delete require.cache[file];
  return require('showdown');
}

const PIECES = [
  ...['# Title', '## more #', '**bold**', '_it_', '~~no~~', '`code`', '```', '- a', '* b', '1. c'],
  ...[
    '> said',
    '|a|b|\n|-|-|',
    '[l](http://e.com)',
    '![i](x.png)',
    '[r]: http://e.com',
    '***',
    '\\<p>',
  ],
  ...[
    '<div>',
    '</div>',
    '<p markdown="1">',
    '</p>',
    '<hr>',
    '<!-- x -->',
    '<?php ?>',
    '<b>',
    '</b>',
  ],
  ...['a', ' ', '  ', '    ', '\n', '\n\n', '\t', '$', '¨', '&', '\u00a0', '\r\n', '<', '>'],
];

const OPTIONS = [{}, { tables: true, strikethrough: true }, { backslashEscapesHTMLTags: true }];

test('a Markdown text gives what the untouched library gives', () => {
  const plain = untouched();
  expect(plain.subParser('hashHTMLBlocks')).not.toBe(showdown.subParser('hashHTMLBlocks'));
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(...OPTIONS), (markdown, options) => {
      const given = new showdown.Converter(options).makeHtml(markdown);
      expect(given).toBe(new plain.Converter(options).makeHtml(markdown));
    }),
    { numRuns: 2000 },
  );
});
