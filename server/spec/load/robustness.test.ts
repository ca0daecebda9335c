import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { compileSpec } from '../compile/compile.ts';
import { graphView } from '../graph/graph-view.ts';
import { topologyOf } from '../graph/topology.ts';
import { policyReport } from '../reports/policy-report.ts';
import { validateText } from '../rules/validate.ts';
import { formatOfFile, parseSpecText } from '../yaml/parse-yaml.ts';
import { loadSpec } from './load-spec.ts';
import { layerDocuments, layerWithOrigins, mergeDocuments } from './overlay.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const texts = [SPECS, join(SPECS, 'invalid')].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(yaml|json)$/.test(name) && name !== 'expected.json')
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })),
);

const keys = fc.constantFrom(
  ...'version agent workflow components tools name steps nodes edges type id kind ref start model a b __proto__ constructor __delete__ graph sequential from to condition'.split(
    ' ',
  ),
);
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    keys,
    fc.constantFrom('v1', 'graph', 'sequential', 'agent', 'human', 'handoff', 'concurrent'),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(keys, tie('value')), { maxLength: 5 })
    .map((pairs) =>
      JSON.parse(
        `{${pairs.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(',')}}`,
      ),
    ),
})).object as fc.Arbitrary<JsonObject>;

function useAll(base: JsonObject): void {
  const loaded = loadSpec({ base, environment: 'dev', skills: { add: ['a'], disable: ['b'] } });
  const plain = loadSpec({ base });
  for (const { spec } of [loaded, plain]) {
    if (spec === undefined) continue;
    compileSpec(spec);
    policyReport(spec);
    graphView(spec);
    topologyOf(spec);
  }
}

describe('no input crashes', () => {
  test('loading and compiling documents of any shape', () => {
    fc.assert(fc.property(document, useAll), { numRuns: 700 });
  });

  test('samples with one value replaced', () => {
    const bases = texts.map(({ name, text }) => parseSpecText(text, formatOfFile(name)).value);
    fc.assert(
      fc.property(
        fc.constantFrom(...bases.filter((base) => base !== undefined)),
        fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
        fc.oneof(
          fc.constant(null),
          fc.constant([]),
          fc.constant({}),
          fc.constant('x'),
          fc.constant(1),
          document,
        ),
        (base, choices, value) => {
          const copy = structuredClone(base);
          let at: Record<string, unknown> = copy;
          for (const choice of choices) {
            const names = Object.keys(at);
            const key = names[choice % Math.max(1, names.length)];
            if (key === undefined) break;
            const next = at[key];
            if (typeof next === 'object' && next !== null && choice % 5 !== 0) at = next as never;
            else {
              at[key] = value;
              break;
            }
          }
          useAll(copy);
        },
      ),
      { numRuns: 700 },
    );
  });

  test('reading cut, spliced and random texts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(2000),
        fc.nat(2000),
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            '{',
            '[',
            '- ',
            ': ',
            '&a ',
            '*a',
            '!!x ',
            '<<: ',
            '|\n',
            '"',
            "'",
            '\t',
            '? ',
            '%',
            '---\n',
            '\r',
          ),
        ),
        ({ name, text }, from, count, added) => {
          const cut =
            text.slice(0, from % (text.length + 1)) +
            added +
            text.slice((from % (text.length + 1)) + (count % 40));
          const { diagnostics, document: parsed } = validateText(cut, formatOfFile(name));
          for (const { range } of diagnostics) {
            expect(range.start.offset).toBeLessThanOrEqual(range.end.offset);
            expect(range.end.offset).toBeLessThanOrEqual(cut.length);
          }
          parsed.source.pathAt(from);
        },
      ),
      { numRuns: 700 },
    );
  });

  test('deep nesting and alias bombs end at once with a finding', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
      .concat(
        'bcdefghij'
          .split('')
          .map((one, i) => `${one}: &${one} [${Array(10).fill(`*${'abcdefghij'[i]}`).join(',')}]`),
      )
      .join('\n');
    const merges = ['a: &a {k0: 1}']
      .concat(
        Array.from(
          { length: 25 },
          (_, i) => `m${i}: &m${i} {<<: [${i ? `*m${i - 1}, *m${i - 1}` : '*a, *a'}]}`,
        ),
      )
      .join('\n');
    const inputs: [string, 'yaml' | 'json'][] = [
      ['['.repeat(50_000), 'yaml'],
      ['{a: '.repeat(20_000), 'yaml'],
      ['- '.repeat(20_000), 'yaml'],
      [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'json'],
      [bomb, 'yaml'],
      [merges, 'yaml'],
      ['a: &a [*a]', 'yaml'],
      ['a: &a {b: *a}', 'yaml'],
      [`a: ${'9'.repeat(100_000)}`, 'yaml'],
      [`{"a": ${'9'.repeat(100_000)}}`, 'json'],
    ];
    for (const [text, format] of inputs) {
      const start = performance.now();
      const { diagnostics } = parseSpecText(text, format);
      expect(
        diagnostics.map(({ code }) => code),
        text.slice(0, 40),
      ).toEqual(['E_PARSE']);
      expect(performance.now() - start, text.slice(0, 40)).toBeLessThan(2000);
    }
    let deep: JsonObject = {};
    for (let i = 0; i < 100_000; i += 1) deep = { a: deep };
    expect(loadSpec({ base: deep }).diagnostics[0]?.code).toBe('E_PARSE');
  });
});

describe('layers', () => {
  test('no input changes, and merging layer by layer is merging them all', () => {
    fc.assert(
      fc.property(document, document, document, (base, one, two) => {
        const before = JSON.stringify([base, one, two]);
        const all = layerDocuments(base, [one], two);
        expect(all).toEqual(mergeDocuments(mergeDocuments(base, one), two));
        expect(JSON.stringify([base, one, two])).toBe(before);
        expect(layerWithOrigins(base, [one], two).document).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  test('without marks of deletion, merging is associative', () => {
    const strip = (value: JsonObject): JsonObject =>
      JSON.parse(
        JSON.stringify(value, (key, one) =>
          one === null || key === '__delete__' ? undefined : one,
        ).replace(/undefined/g, '0'),
      );
    fc.assert(
      fc.property(
        document.map(strip),
        document.map(strip),
        document.map(strip),
        (a: JsonObject, b: JsonObject, c: JsonObject) => {
          const kinds = (left: unknown, right: unknown): boolean =>
            typeof left === typeof right && Array.isArray(left) === Array.isArray(right);
          fc.pre(
            Object.keys(b).every(
              (key) => kinds(a[key] ?? b[key], b[key]) && kinds(b[key], c[key] ?? b[key]),
            ),
          );
          const flat = (value: JsonObject) =>
            Object.values(value).every(
              (one) =>
                typeof one !== 'object' ||
                Object.values(one ?? {}).every((x) => typeof x !== 'object'),
            );
          fc.pre(flat(a) && flat(b) && flat(c));
          expect(mergeDocuments(mergeDocuments(a, b), c)).toEqual(
            mergeDocuments(a, mergeDocuments(b, c)),
          );
        },
      ),
    );
  });

  test('deletion marks, lists and replacements follow the table', () => {
    const base = { a: { x: 1, y: { z: 2 } }, l: [1, 2], gone: 1, text: 't' };
    const top = {
      gone: null,
      a: { y: { __delete__: true, other: 1 }, w: null, n: 3 },
      l: [3],
      text: { inner: null, keep: { __delete__: true } },
      fresh: { __delete__: 'yes' },
    };
    expect(mergeDocuments(base, top)).toEqual({
      a: { x: 1, n: 3 },
      l: [3],
      text: { inner: null, keep: { __delete__: true } },
      fresh: { __delete__: 'yes' },
    });
    expect(Object.keys(mergeDocuments(base, { text: 'u', new: 1 }))).toEqual([
      'a',
      'l',
      'gone',
      'text',
      'new',
    ]);
  });

  test('__proto__ is a name like any other', () => {
    const evil = JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": {"x": 1}}}');
    const merged = mergeDocuments({ a: {} }, evil);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.hasOwn(merged, '__proto__')).toBe(true);
    expect(JSON.stringify(merged)).toBe(
      '{"a":{"__proto__":{"x":1}},"__proto__":{"polluted":true}}',
    );
  });

  test('every leaf knows the layer that gave it', () => {
    const { origins } = layerWithOrigins(
      { a: { x: 1, y: 2 }, l: [1] },
      [{ a: { x: 5 } }, { b: {} }],
      { l: [2] },
    );
    expect([...origins]).toEqual([
      ['a.x', { layer: 'overlay', index: 0 }],
      ['a.y', { layer: 'base' }],
      ['l', { layer: 'overrides' }],
      ['b', { layer: 'overlay', index: 1 }],
    ]);
  });
});

test('spec-v1 22: an emptied or filled mapping is a leaf of the layer that did it', () => {
  const origins = (base: JsonObject, top: JsonObject) => [...layerWithOrigins(base, [top]).origins];
  expect(origins({ a: { x: 1 } }, { a: { x: null } })).toEqual([
    ['a', { layer: 'overlay', index: 0 }],
  ]);
  expect(origins({ a: {} }, { a: { x: 1 } })).toEqual([['a.x', { layer: 'overlay', index: 0 }]]);
  expect(origins({}, {})).toEqual([]);
});
