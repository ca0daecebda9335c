import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateText } from '../rules/validate.ts';
import { formatOfFile } from '../yaml/parse-yaml.ts';
import { parseYamlTree } from '../yaml/tree.ts';
import { completionsAt } from './completion.ts';
import { foldsOf } from './folding.ts';
import { hoverAt } from './hover.ts';
import { openDocument } from './open-document.ts';
import { outlineOf } from './outline.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const samples = readdirSync(SPECS)
  .filter((name) => /\.(yaml|json)$/.test(name) && name !== 'expected.json')
  .map((name) => ({ name, text: readFileSync(join(SPECS, name), 'utf8') }));

const TEXT = `version: v1
agent:
  name: root
  tools: [search, "x
workflow:
  type: graph
  start: a
  nodes:
    a: {id: a, kind: agent, ref: one}
    b: {id: b, kind: agent
    c: {id: c, kind: agent, ref: two}
  edges:
  - {from: a, to: b}
  - {from: b, to: [
  - {from: b, to: c}
components:
  agents:
    one: {name: one}
    "two": {name: two} # second
`;

const names = (text: string): string[] =>
  outlineOf(openDocument(text)).flatMap(({ name, children }) => [
    name,
    ...children.flatMap((one) => [one.name, ...one.children.map((each) => each.name)]),
  ]);

describe('a broken text', () => {
  test('loses the part that a fault stands in and nothing else', () => {
    expect(openDocument(TEXT).parsed.problems.length).toBeGreaterThan(0);
    expect(names(TEXT)).toEqual([
      'version',
      'agent',
      'workflow',
      'a',
      'b',
      'c',
      'components',
      'agents',
      'one',
      'two',
    ]);
    const cursor = TEXT.indexOf('ref: one') + 5;
    const broken = TEXT.slice(0, cursor) + TEXT.slice(cursor + 3);
    expect(completionsAt(openDocument(broken), cursor).map(({ label }) => label)).toEqual([
      'one',
      'two',
    ]);
    expect(hoverAt(openDocument(TEXT), TEXT.indexOf('type: graph') + 1)).toBeDefined();
    expect(foldsOf(openDocument(TEXT)).map(({ start }) => start)).toContain(16);
  });

  test('keeps what an earlier version had outside of the fault', () => {
    const sound = samples.find(({ name }) => name === 'support-triage.yaml')?.text ?? '';
    const before = openDocument(sound);
    const at = sound.indexOf('name: ') + 6;
    const after = openDocument(`${sound.slice(0, at)}"${sound.slice(at)}`, 'yaml', before);
    expect(after.parsed.value).toBeUndefined();
    expect(after.sound?.text).toBe(sound);
    const parts = (document: typeof before) => outlineOf(document).map(({ name }) => name);
    expect(parts(after)).toEqual(parts(before));
    const mended = openDocument(sound, 'yaml', after);
    expect(mended.source.root).toEqual(before.source.root);
  });

  test('of odd shape is still read', () => {
    for (const text of [
      '',
      '# x',
      '-',
      '- [',
      ': x',
      'a',
      '"a: b',
      "'k': [",
      '- a: [\n  b: 1',
      '? [',
      '\t- x: [',
    ]) {
      expect(() => outlineOf(openDocument(text))).not.toThrow();
    }
    expect(parseYamlTree('- a: [\n  b: 1\n- two').root).toMatchObject({
      kind: 'list',
      items: [{ kind: 'map', entries: [{ key: 'a' }, { key: 'b' }] }, { value: 'two' }],
    });
    expect(parseYamlTree('# nothing').root).toBeUndefined();
    expect(openDocument('{"agent": {"name": ', 'json').parsed.problems).toHaveLength(1);
  });
});

test('each broken part of a text has one fault, in order, and costs only itself', () => {
  const text = [
    'a: &one [1, 2]',
    'b: [*one, "x',
    'c: *one',
    'd:',
    '  - 1 2: 3 4: 5',
    '  - e: {f: 1',
    '    g: &two',
    '      <<: {h: 1}',
    '  - i: *two',
    'j: # none below',
    'k:',
    '  [l',
    "'m': ok",
    `n: ${'['.repeat(300)}`,
    'o: {p: 1}',
  ].join('\n');
  const { root, problems } = parseYamlTree(text);
  const lines = problems.map(({ start }) => text.slice(0, start).split('\n').length);
  expect(lines).toEqual([2, 5, 6, 12, 14]);
  expect(root).toMatchObject({
    kind: 'map',
    entries: [
      { key: 'a' },
      { key: 'b', value: { kind: 'list', items: [{ kind: 'alias' }, {}] } },
      { key: 'c', value: { kind: 'alias', name: 'one' } },
      {
        key: 'd',
        value: { kind: 'list', items: [{}, { entries: [{ key: 'e' }, { key: 'g' }] }, {}] },
      },
      { key: 'j', value: { value: null } },
      { key: 'k', value: { kind: 'list' } },
      { key: 'm', value: { value: 'ok' } },
      { key: 'n', value: { kind: 'list' } },
      { key: 'o', value: { kind: 'map', entries: [{ key: 'p' }] } },
    ],
  });
  const deep = `x: [\n${'- '.repeat(300)}1\n`;
  expect(parseYamlTree(deep).problems).not.toEqual([]);
  const odd = parseYamlTree('x: 1\ny: \u0001\n');
  expect(odd.problems.map(({ start }) => start)).toEqual([8]);
  expect(odd.root).toMatchObject({ entries: [{ key: 'x' }, { key: 'y' }] });
});

test.each(samples)('$name cut at every line keeps the parts before the cut', ({ name, text }) => {
  if (formatOfFile(name) === 'json') return;
  const whole = openDocument(text);
  const parts = outlineOf(whole);
  const lines = text.split('\n');
  for (let count = 1; count < lines.length; count += 1) {
    const cut = lines.slice(0, count).join('\n');
    const shown = new Set(outlineOf(openDocument(`${cut} [`)).map((part) => part.name));
    for (const part of parts) {
      if (part.range.end.offset < lines.slice(0, count - 1).join('\n').length) {
        expect(shown).toContain(part.name);
      }
    }
  }
});

test('every version along random edits answers as a fresh reading does', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(
        fc.tuple(fc.nat(), fc.nat(6), fc.constantFrom('', 'x', '\n', ' [', '"', ': ', '- ')),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      ({ name, text }, edits) => {
        const format = formatOfFile(name);
        let version = text;
        let document = openDocument(version, format);
        for (const [at, cut, added] of edits) {
          const start = at % (version.length + 1);
          version = version.slice(0, start) + added + version.slice(start + cut);
          document = openDocument(version, format, document);
          const fresh = validateText(version, format);
          expect(document.validation().diagnostics).toEqual(fresh.diagnostics);
          expect(document.parsed.value).toEqual(fresh.document.value);
          outlineOf(document);
          completionsAt(document, start);
          hoverAt(document, start);
          foldsOf(document);
        }
      },
    ),
    { numRuns: 150 },
  );
});
