import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenSpecs } from '../../../../test/support/graph-operations.ts';
import { pathsOf } from '../../../../test/support/random-edits.ts';
import type { Json } from '../../../kernel/json.ts';
import { valueAt } from '../../edit/edit-text.ts';
import { applyEdits } from '../../edit/text-edit.ts';
import { formatOfFile } from '../../yaml/parse-yaml.ts';
import { openDocument } from '../open-document.ts';
import type { FormEdit, FormField } from './form.ts';
import { formEdit } from './form-edit.ts';
import { formAt } from './inspect.ts';

const SPECS = join(import.meta.dirname, '../../../../test/fixtures/specs');
const samples = readdirSync(SPECS)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(SPECS, name), 'utf8'));

const TEXT = `version: v1 # of the language
agent: {name: desk}
workflow:
  type: sequential
  steps:
    - writer # short
    # checks it
    - id: check
      kind: agent
      ref: writer
      max_retries: 2 # twice
      pace: slow
components:
  agents:
    writer:
      name: writer
      system_prompt: |
        Answer shortly.
        Name the source.
      model: {provider: openai, name: gpt-5-mini} # small
      strategy:
        type: react
    other: &other {name: other}
    same: *other
`;

function made(text: string, edit: FormEdit, file = 'a.yaml') {
  const outcome = formEdit(openDocument(text, formatOfFile(file)), edit);
  return 'problem' in outcome ? outcome.problem : applyEdits(text, outcome.edits);
}

const writer = ['components', 'agents', 'writer'];
const check = ['workflow', 'steps', 1];

test('a field is set, cleared and renamed in its own bytes', () => {
  expect(made(TEXT, { op: 'set', path: [...writer, 'model', 'name'], value: 'gpt-5' })).toBe(
    TEXT.replace('gpt-5-mini', 'gpt-5'),
  );
  expect(made(TEXT, { op: 'set', path: [...check, 'max_retries'], value: 3 })).toBe(
    TEXT.replace('max_retries: 2', 'max_retries: 3'),
  );
  expect(made(TEXT, { op: 'set', path: [...writer, 'system_prompt'], value: 'A\nB: c\n' })).toBe(
    TEXT.replace('Answer shortly.\n        Name the source.', 'A\n        B: c'),
  );
  expect(made(TEXT, { op: 'clear', path: [...check, 'max_retries'] })).toBe(
    TEXT.replace('      max_retries: 2 # twice\n', ''),
  );
  expect(made(TEXT, { op: 'rename', path: writer, name: 'author' })).toBe(
    TEXT.replace('- writer', '- author')
      .replace('ref: writer', 'ref: author')
      .replace('writer:\n', 'author:\n'),
  );
  expect(made(TEXT, { op: 'set', path: [...check, 'id'], value: 'look' })).toBe(
    TEXT.replace('id: check', 'id: look'),
  );
});

test('a group comes with its first field and goes with its last one', () => {
  const strategy = [...writer, 'strategy', 'type'];
  const without = TEXT.replace('      strategy:\n        type: react\n', '');
  expect(made(TEXT, { op: 'clear', path: strategy })).toBe(without);
  expect(made(without, { op: 'set', path: strategy, value: 'react' })).toBe(TEXT);
  const told = TEXT.replace('strategy:\n', 'strategy:\n        # tools in a loop\n');
  expect(made(told, { op: 'clear', path: strategy })).toContain('# tools in a loop');
});

test('a step that is the bare name of its agent is written out', () => {
  const after = made(TEXT, {
    op: 'set',
    path: ['workflow', 'steps', 0, 'on_error'],
    value: 'continue',
  });
  expect(after).toBe(
    TEXT.replace(
      '- writer # short',
      '- # short\n      id: writer\n      kind: agent\n      ref: writer\n      on_error: continue',
    ),
  );
});

test('what others share is refused, with the way out', () => {
  const agents = ['components', 'agents'];
  const refusals = [
    made(TEXT, { op: 'set', path: [...agents, 'same', 'name'], value: 'x' }),
    made(TEXT, { op: 'set', path: [...agents, 'other', 'name'], value: 'x' }),
    made('version: [', { op: 'clear', path: ['version'] }),
  ];
  expect(refusals[0]).toContain('behind an alias');
  expect(refusals[1]).toContain('anchor');
  expect(refusals[2]).toContain('cannot be read');
});

function allFields(fields: readonly FormField[]): FormField[] {
  return fields.flatMap((field) => [field, ...allFields(field.fields)]);
}

const VALUES: Readonly<Record<string, readonly Json[]>> = {
  text: ['plain', 'on', 'a: b # c', "it's", '12', '- x', ''],
  long: ['one line', 'two\nlines\n', '  indented\n\nend', '# no comment\n'],
  number: [1.5, 0, 12],
  integer: [7, 0],
  boolean: [true, false],
  texts: [['a'], [], ['x, y', 'z: 1']],
  any: ['text', 3, false, null],
  json: [{ a: [1, { b: 'c' }] }, {}, [1]],
};

function valueFor(field: FormField, pick: number): Json | undefined {
  const values = field.kind === 'choice' ? field.choices : VALUES[field.kind];
  return values?.[pick % values.length];
}

/** The text with each edit's part left out. */
function keptParts(text: string, edits: readonly { start: number; end: number }[]): string[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  return [0, ...sorted.map(({ end }) => end)].map((start, index) =>
    text.slice(start, sorted[index]?.start ?? text.length),
  );
}

const KINDS = ['any', 'boolean', 'choice', 'integer', 'json', 'long', 'number', 'text', 'texts'];

/** A field of the place that is drawn; of the first place behind it that has the wished kind. */
function fieldOf(
  document: ReturnType<typeof openDocument>,
  places: readonly (readonly (string | number)[])[],
  place: number,
  pick: number,
  kind: string | null,
) {
  for (let step = 0; step < places.length; step += 1) {
    const form = formAt(document, places[(place + step) % places.length] ?? []);
    const fields = allFields(form?.sections.flatMap((section) => section.fields) ?? []).filter(
      ({ key, kind: own }) =>
        key !== 'id' && own !== 'group' && own !== 'parts' && (kind ?? own) === own,
    );
    if (fields.length > 0 || kind === null) return fields[pick % fields.length];
  }
  return undefined;
}

test('random fields of random specs: the value is read back, and all other bytes stay', () => {
  const texts = fc.oneof(
    writtenSpecs,
    fc.tuple(fc.constantFrom(...samples, TEXT), fc.boolean()).map(([text, crlf]) => ({
      text: crlf ? text.replaceAll('\n', '\r\n') : text,
      file: 'a.yaml',
    })),
  );
  const kinds = new Map<string, number>();
  // Half of the draws ask for a kind by name: one that few blocks have would else hardly occur.
  const wanted = fc.option(fc.constantFrom(...KINDS, 'any', 'any', 'any'), { freq: 2 });
  let refused = 0;
  fc.assert(
    fc.property(
      texts,
      fc.nat(),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      wanted,
      ({ text, file }, a, b, c, clear, kind) => {
        const format = formatOfFile(file);
        const document = openDocument(text, format);
        const places = pathsOf(document.parsed.value ?? {});
        const field = fieldOf(document, places, a, b, kind);
        const value = field && valueFor(field, c);
        if (field === undefined || value === undefined || (clear && !field.written)) return;
        const { path } = field;
        const outcome = formEdit(
          document,
          clear ? { op: 'clear', path } : { op: 'set', path, value },
        );
        if ('problem' in outcome) {
          refused += 1;
          expect(outcome.problem).toMatch(/anchor|alias|written in a way/);
          return;
        }
        kinds.set(field.kind, (kinds.get(field.kind) ?? 0) + 1);
        const after = applyEdits(text, outcome.edits);
        const read = openDocument(after, format);
        const now = valueAt(read.parsed.value ?? {}, path);
        expect(now).toEqual(clear ? null : value);
        // Every other place says what it said.
        const inField = (one: readonly (string | number)[]) =>
          path.every((segment, index) => one[index] === segment);
        for (const place of places) {
          const old = valueAt(document.parsed.value ?? {}, place);
          const isHolder = place.every((segment, index) => path[index] === segment);
          if (isHolder || inField(place)) continue;
          expect(valueAt(read.parsed.value ?? {}, place)).toEqual(old);
        }
        let at = 0;
        for (const part of keptParts(text, outcome.edits)) {
          const found = after.indexOf(part, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + part.length;
        }
        if (!clear) {
          const comments = (one: string) =>
            one.match(/# (?:above|beside|the work|who works|writes)/g)?.length ?? 0;
          expect(comments(after)).toBeGreaterThanOrEqual(comments(text));
        }
        expect(/(?<!\r)\n/.test(after)).toBe(/(?<!\r)\n/.test(text));
      },
    ),
    { numRuns: 600 },
  );
  expect([...kinds.keys()].sort()).toEqual(KINDS.toSorted());
  expect(refused).toBeLessThan(60);
});
