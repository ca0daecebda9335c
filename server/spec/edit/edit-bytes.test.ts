import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathsOf, randomEdit } from '../../../test/support/random-edits.ts';
import type { Json } from '../../kernel/json.ts';
import type { Path } from '../values/path.ts';
import { type ParsedDocument, parseSpecText } from '../yaml/parse-yaml.ts';
import type { SourceSpot } from '../yaml/source-map.ts';
import { lineAfter, lineStart } from '../yaml/text-layout.ts';
import { editText } from './edit-text.ts';
import { type DocumentEdit, editValue } from './edit-value.ts';
import { applyEdits } from './text-edit.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');

const TRICKY = `# head of the file
base: &base # the anchor
  retries: 2   # two
  quoted: 'it''s'
  double: "tab\\tand \\"quotes\\""
text: |+
  keeps  blanks	and tabs

  # no comment

folded: >-
  one
    two

list: # of things
  # above first
  - &first {a: 1, b: [x, 'y', "z"]} # flow
  # above second
  - name: second # its name
    <<: *base
    more: *first

  - plain text
    over two lines # end
- indentless: no
`
  .replace('- indentless: no\n', '')
  .concat(`dashes:
- one # 1
- two

# before use
use:
  <<: [*base, *first]
  own: yes it is # note
  empty:
  "quoted key": {p: {q: 1}, r: 2} # side
# tail
`);

const texts = [
  TRICKY,
  TRICKY,
  ...readdirSync(SPECS)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(SPECS, name), 'utf8')),
];

interface Extent {
  start: number;
  end: number;
}

/** The spot of a place that is written where it stands, not through an alias or a merge. */
function ownSpot(document: ParsedDocument, path: Path): SourceSpot | undefined {
  const spot = document.source.find(path);
  if (spot === undefined || path.length === 0) return spot;
  const holder = ownSpot(document, path.slice(0, -1));
  const at = (spot.key ?? spot.value).start.offset;
  if (holder === undefined || holder.node.kind === 'alias') return undefined;
  return holder.value.start.offset <= at && at <= holder.value.end.offset ? spot : undefined;
}

/** The lines of a place with the comment lines right above it. */
function linesOf(document: ParsedDocument, path: Path): Extent {
  const { text, root } = document.source;
  if (root === undefined || path.length === 0) return { start: 0, end: text.length };
  const spot = ownSpot(document, path);
  if (spot === undefined) return linesOf(document, path.slice(0, -1));
  let start = lineStart(text, (spot.key ?? spot.value).start.offset);
  for (;;) {
    const above = start === 0 ? 0 : lineStart(text, start - 1);
    if (start === 0 || !/^\s*#/.test(text.slice(above, start))) break;
    start = above;
  }
  return { start, end: lineAfter(text, spot.value.end.offset) };
}

function holderOf(edit: DocumentEdit): Path {
  return edit.op === 'set' || edit.op === 'rename' ? edit.path : edit.path.slice(0, -1);
}

const values: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  'plain',
  'on',
  'a: b # c',
  "it's",
  '"q"',
  'x\ty',
  'two\nlines\n',
  '',
  12,
  1.5,
  true,
  null,
  [],
  {},
  ['a', { b: 1 }],
  { id: 'n', list: [1, 2], text: 'p\nq' },
);

const anchors = (text: string): string[] => text.match(/[&*][a-z]+\b/g) ?? [];

test('thousands of edits touch the lines of their place and leave every other byte', () => {
  let fits = 0;
  let done = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.boolean(),
      randomEdit(values),
      (sample, crlf, editOf) => {
        const text = crlf ? sample.replaceAll('\n', '\r\n') : sample;
        const document = parseSpecText(text, 'yaml');
        const edit = editOf(document.value ?? {});
        const wanted = editValue(document.value ?? {}, edit);
        if (wanted === undefined) return;
        fits += 1;
        const edits = editText(text, edit, 'yaml');
        if (edits === undefined) return;
        done += 1;
        const after = applyEdits(text, edits);
        const own = linesOf(document, holderOf(edit));
        // A place that is written through an alias or a merge is written out where it is used.
        const around = linesOf(document, holderOf(edit).slice(0, -1));
        const inOwn = edits.every(({ start, end }) => own.start <= start && end <= own.end);
        const { start, end } = inOwn ? own : around;
        expect(after.startsWith(text.slice(0, start))).toBe(true);
        expect(after.endsWith(text.slice(end))).toBe(true);
        if (crlf) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        const outside = anchors(text.slice(0, start) + text.slice(end));
        for (const mark of outside) expect(anchors(after)).toContain(mark);
        expect(Object.keys(parseSpecText(after, 'yaml').value ?? {}).toSorted()).toEqual(
          Object.keys(wanted).toSorted(),
        );
      },
    ),
    { numRuns: 800 },
  );
  expect(done / fits).toBeGreaterThan(0.95);
});

test('a scalar is replaced in its own bytes, a key in its own', () => {
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.nat(), fc.boolean(), (text, choice, rename) => {
      const document = parseSpecText(text, 'yaml');
      const spots = pathsOf(document.value ?? {}).flatMap((path) => {
        const spot = ownSpot(document, path);
        const single = spot?.node.kind === 'scalar' && !/[|>]/.test(text[spot.node.start] ?? '|');
        const written = spot !== undefined && text.slice(spot.node.start, spot.node.end) !== '';
        return spot !== undefined && single && written && typeof path.at(-1) === 'string'
          ? [{ path, spot }]
          : [];
      });
      const chosen = spots[choice % spots.length];
      if (chosen?.spot.key === undefined) return;
      const { path, spot } = chosen;
      const edit: DocumentEdit = rename
        ? { op: 'rename', path, key: 'fresh' }
        : { op: 'set', path, value: 'fresh' };
      const edits = editText(text, edit);
      if (edits === undefined || edits.length !== 1) return;
      const [{ start, end } = { start: 0, end: 0 }] = edits;
      const extent = rename ? spot.key : spot.value;
      if (extent === undefined) return;
      expect([start, end]).toEqual([extent.start.offset, extent.end.offset]);
    }),
    { numRuns: 250 },
  );
});
