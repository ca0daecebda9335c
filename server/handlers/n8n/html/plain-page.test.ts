import type { AnyNode, Document } from 'domhandler';
import fc from 'fast-check';
import { compile } from 'html-to-text';
import { parse } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import { describe, expect, it } from 'vitest';
import { htmlTexts } from '../../../../test/support/html-texts.ts';
import { plainPage } from './plain-page.ts';
import { plainWords } from './plain-words.ts';

/** All that a selector or a reading can see, with neighbours by their place. */
function seen(node: AnyNode | Document): unknown {
  const children = 'children' in node ? node.children : [];
  return {
    type: node.type,
    name: 'name' in node ? node.name : null,
    text: 'data' in node ? node.data : null,
    attributes: 'attribs' in node ? Object.entries(node.attribs) : [],
    children: children.map((child, at) => ({
      ...{ child: seen(child), isIn: child.parent === node },
      ...{
        follows: child.prev === (children[at - 1] ?? null),
        leads: child.next === (children[at + 1] ?? null),
      },
    })),
  };
}

describe('HTML that is read in one go', () => {
  it.each([
    ['well-formed', 0, 0.5],
    ['with a fault here and there', 5, 0.2],
    ['with many', 40, 0],
  ])('is the page that parse5 reads: %s', (_, odd, share) => {
    let read = 0;
    const runs = 3_000;
    fc.assert(
      fc.property(htmlTexts(odd), (html) => {
        const page = plainPage(html);
        if (page === null) return;
        read += 1;
        expect(seen(page)).toEqual(seen(parse(html, { treeAdapter: adapter })));
      }),
      { numRuns: runs },
    );
    expect(read / runs).toBeGreaterThanOrEqual(share);
  });

  it('goes to the library when it is deep, broken off, or names an attribute twice', () => {
    expect(plainPage('<div>'.repeat(99).concat('</div>'.repeat(99)))).not.toBeNull();
    expect(plainPage('<div>'.repeat(200).concat('</div>'.repeat(200)))).toBeNull();
    expect(plainPage('<p>a')).toBeNull();
    expect(plainPage('<p a="1" a="2">a</p>')).toBeNull();
  });
});

it('a line of words is laid out as html-to-text lays it out', () => {
  const layout = compile({});
  const words = fc
    .array(
      fc.constantFrom(
        'a',
        'words',
        ' ',
        '  ',
        '\n',
        '\u00a0',
        '\u200b',
        '&amp;',
        '"',
        'é',
        'x'.repeat(70),
      ),
    )
    .map((all) => all.join(''));
  fc.assert(
    fc.property(words, (text) => {
      const page = parse(`<p>${text}</p>`, { treeAdapter: adapter });
      const [html] = page.children;
      const body = html !== undefined && 'children' in html ? html.children[1] : undefined;
      const element = body !== undefined && 'children' in body ? body.children[0] : undefined;
      const plain = element === undefined ? null : plainWords(element);
      if (plain !== null) expect(plain).toBe(layout(text));
    }),
    { numRuns: 2_000 },
  );
});
