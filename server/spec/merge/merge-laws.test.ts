// What holds of every merge, over random edits of every spec of the fixtures.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomEdit } from '../../../test/support/random-edits.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { renamedParts } from '../compare/follow-renames.ts';
import { editText } from '../edit/edit-text.ts';
import { type DocumentEdit, editValue } from '../edit/edit-value.ts';
import { applyEdits } from '../edit/text-edit.ts';
import type { Path } from '../values/path.ts';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import type { Choice } from './conflict.ts';
import { mergeSpecs } from './merge-specs.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
const RUNS = 250;
const NOTE = '# a note at the end\n';

const texts = readdirSync(SPECS)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(SPECS, name), 'utf8'));

const values: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  ...['plain', 'on', 'a: b # c', "it's", 'two\nlines\n', '', 12, true, null],
  ...[[], {}, ['a', { b: 1 }], { id: 'n', kind: 'agent', ref: 'p\nq' }],
);

function readValue(text: string): JsonObject {
  const { value } = parseSpecText(text, 'yaml');
  if (value === undefined) throw new TypeError(text);
  return value;
}

const edits = fc.array(randomEdit(values), { minLength: 1, maxLength: 3 });
type Edits = readonly ((document: Json) => DocumentEdit)[];

function edited(text: string, making: Edits): string {
  return making.reduce((made, make) => {
    const change = editText(made, make(readValue(made)));
    return change === undefined ? made : applyEdits(made, change);
  }, text);
}

const worlds = fc
  .record({ base: fc.constantFrom(...texts), ours: edits, theirs: edits })
  .map(({ base, ours, theirs }) => ({
    base,
    ours: edited(base, ours),
    theirs: edited(base, theirs),
  }));

function holds(check: (world: { base: string; ours: string; theirs: string }) => void): void {
  fc.assert(fc.property(worlds, check), { numRuns: RUNS, seed: 16 });
}

/** Every conflict settled one way. */
function settled(world: { base: string; ours: string; theirs: string }, choice: Choice): string {
  const { conflicts } = mergeSpecs(world);
  const choices = Object.fromEntries(conflicts.map(({ id }) => [id, choice]));
  const { text, open, by } = mergeSpecs(world, { choices });
  expect({ open, by }).toEqual({ open: 0, by: 'meaning' });
  return text;
}

/** One side of every marked place. */
function sideOf(marked: string, side: 'mine' | 'theirs'): string {
  let part: 'both' | 'mine' | 'theirs' = 'both';
  const kept = marked.split('\n').filter((line) => {
    const next = { '<<<<<<< mine': 'mine', '=======': 'theirs', '>>>>>>> theirs': 'both' } as const;
    const mark = Object.entries(next).find(([sign]) => sign === line.trimEnd());
    if (mark !== undefined) [, part] = mark;
    return mark === undefined && (part === 'both' || part === side);
  });
  return kept.join('\n');
}

test('what only one side changed is taken as it is, to the byte', () => {
  holds(({ base, ours }) => {
    expect(mergeSpecs({ base, ours, theirs: base }).text).toBe(ours);
    expect(mergeSpecs({ base, ours, theirs: ours }).text).toBe(ours);
    expect(readValue(mergeSpecs({ base, ours: base, theirs: ours }).text)).toEqual(readValue(ours));
  });
});

test('a side that only has another layout changes nothing of what the other says', () => {
  holds(({ base, ours }) => {
    for (const sides of [
      { base, ours, theirs: base + NOTE },
      { base, ours: base + NOTE, theirs: ours },
      { base, ours, theirs: ours + NOTE },
    ]) {
      const { text, conflicts } = mergeSpecs(sides);
      expect(conflicts).toEqual([]);
      expect(readValue(text)).toEqual(readValue(ours));
    }
  });
});

test('a merge says the same whoever is called ours', () => {
  holds(({ base, ours, theirs }) => {
    const one = mergeSpecs({ base, ours, theirs });
    const other = mergeSpecs({ base, ours: theirs, theirs: ours });
    const ids = (merge: typeof one) => merge.conflicts.map(({ id }) => id).sort();
    expect(ids(one)).toEqual(ids(other));
    if (one.conflicts.length === 0) expect(readValue(one.text)).toEqual(readValue(other.text));
  });
});

test('no side is lost: each settled merge holds all that its side changed', () => {
  holds((world) => {
    // What is renamed by one side and changed by the other is no longer seen to be the same part.
    const renamed = [world.ours, world.theirs].map((text) =>
      renamedParts(readValue(world.base), readValue(text)),
    );
    if (renamed.some((kinds) => Object.values(kinds).some(({ size }) => size > 0))) return;
    for (const side of ['ours', 'theirs'] as const) {
      const text = settled(world, side);
      const again = mergeSpecs({ base: world.base, ours: world[side], theirs: text });
      expect(again.conflicts).toEqual([]);
      expect(readValue(again.text)).toEqual(readValue(text));
    }
  });
});

test('the marked text holds both settled merges', () => {
  holds((world) => {
    const { marked, open } = mergeSpecs(world);
    expect(readValue(sideOf(marked, 'mine'))).toEqual(readValue(settled(world, 'ours')));
    expect(readValue(sideOf(marked, 'theirs'))).toEqual(readValue(settled(world, 'theirs')));
    expect(/^<<<<<<< mine/m.test(marked)).toBe(open > 0);
  });
});

/** The places of named parts. */
function partsOf(document: JsonObject): Path[] {
  const parts: Path[] = [];
  for (const path of [['tools'], ['components', 'agents'], ['components', 'humans']]) {
    const holder = path.reduce<Json>(
      (at, key) => (isJsonObject(at) ? (at[key] ?? null) : null),
      document,
    );
    if (isJsonObject(holder)) parts.push(...Object.keys(holder).map((key) => [...path, key]));
  }
  return parts;
}

test('changes of two parts are both made', () => {
  const many = texts.filter((text) => partsOf(readValue(text)).length > 1);
  expect(many.length).toBeGreaterThan(5);
  const choice = fc.record({
    base: fc.constantFrom(...many),
    first: fc.nat(),
    second: fc.nat(),
    one: values,
    other: values,
  });
  const check = fc.property(choice, ({ base, first, second, one, other }) => {
    const document = readValue(base);
    const parts = partsOf(document);
    const left = parts[first % parts.length] ?? [];
    const right = parts.filter((path) => path !== left)[second % (parts.length - 1)] ?? [];
    const mine: DocumentEdit = { op: 'set', path: [...left, 'description'], value: one };
    const its: DocumentEdit = { op: 'set', path: [...right, 'description'], value: other };
    const both = editValue(editValue(document, mine) ?? {}, its);
    const { text, conflicts } = mergeSpecs({
      base,
      ours: applyEdits(base, editText(base, mine) ?? []),
      theirs: applyEdits(base, editText(base, its) ?? []),
    });
    expect(conflicts).toEqual([]);
    expect(readValue(text)).toEqual(both);
  });
  fc.assert(check, { numRuns: RUNS, seed: 16 });
});

test('broken texts never stop it, and are merged by lines', () => {
  const cut = fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.constantFrom('[', '"', '\t', '}'));
  const check = fc.property(cut, ([base, at, sign]) => {
    const place = at % base.length;
    const ours = base.slice(0, place) + sign + base.slice(place);
    const theirs = `${base}broken: [`;
    expect(mergeSpecs({ base, ours, theirs }).by).toBe(ours === base ? 'meaning' : 'lines');
    expect(mergeSpecs({ base: 'x: [', ours, theirs: base }).by).toBe('lines');
  });
  fc.assert(check, { numRuns: RUNS, seed: 16 });
});
