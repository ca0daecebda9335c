import fc from 'fast-check';
import { NodeHtmlMarkdown } from 'node-html-markdown';
import { describe, expect, it } from 'vitest';
import { htmlTexts } from '../../../../test/support/html-texts.ts';
import { plainHtmlToMarkdown } from './plain-html-to-markdown.ts';

const library = new NodeHtmlMarkdown();

describe('HTML that is written in one go gives what node-html-markdown gives', () => {
  it.each([
    ['well-formed', 0, 0.3],
    ['with a fault here and there', 5, 0.1],
    ['with many', 40, 0],
  ])('%s', (_, odd, share) => {
    let written = 0;
    const runs = 3_000;
    fc.assert(
      fc.property(htmlTexts(odd), (html) => {
        const markdown = plainHtmlToMarkdown(html);
        if (markdown === null) return;
        written += 1;
        expect(markdown).toBe(library.translate(html));
      }),
      { numRuns: runs },
    );
    expect(written / runs).toBeGreaterThanOrEqual(share);
  });

  it.each([
    '<h2>Hi</h2><p>Dear <b>Ann</b>,<br>see <a href="http://e.com/a_b">this <em>page</em></a>.</p>',
    '<ul>\n  <li><p>one</p></li>\n  <li>two</li>\n</ul>\n<ol><li>1. a</li><li>b</li></ol>',
    '<blockquote><p>said</p><p>more</p></blockquote><hr><img src="a.png" alt="A &amp; B" title="t">',
    '<a href="http://e.com">http://e.com</a> <code>x_y</code><del>z</del> # a\n- b',
  ])('as people write it: %s', (html) => {
    expect(plainHtmlToMarkdown(html)).toBe(library.translate(html));
  });

  it.each([
    '<table><tbody><tr><td>a</td></tr></tbody></table>',
    '<ul><li>a<ul><li>b</li></ul></li></ul>',
    '<pre>a</pre>',
  ])('and goes to the library else: %s', (html) => {
    expect(plainHtmlToMarkdown(html)).toBeNull();
  });
});
