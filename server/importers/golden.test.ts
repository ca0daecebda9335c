import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Conversion } from './analysis.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).SOME_STEP_TYPES,
);

const FIXTURES = new URL('../../test/fixtures/', import.meta.url);

/** The outcome in the shape of the expected files: wording is left out. */
function outcomeOf(source: string, raw: string, conversion: Conversion): unknown {
  const outcome = analyze({ source, raw, conversion });
  if (!outcome.ok) return { refused: { status: outcome.status, code: outcome.code } };
  return {
    summary: outcome.summary,
    gaps: outcome.gaps.map(({ title: _title, detail: _detail, ...gap }) => gap),
    suggestions: outcome.suggestions.map(({ id, category }) => ({ id, category })),
    spec: outcome.spec,
  };
}

const EXPECTED = [
  ['strict', 'EXPECTED'],
  ['extended', 'EXPECTED-EXTENDED'],
] as const;

const SOURCES = [
  ['n8n', EXPECTED],
  ['dify', EXPECTED],
  ['crewai', EXPECTED.slice(1)],
  ['flowise', EXPECTED.slice(1)],
] as const;

for (const [source, conversions] of SOURCES) {
  const folder = new URL(`${source}/`, FIXTURES);
  const files = readdirSync(folder).filter((name) => !name.startsWith('EXPECTED'));
  describe.each(conversions)(
    `the %s conversion of ${source} gives what %s says of`,
    (mode, where) => {
      it.each(files)('%s', (file) => {
        const name = basename(file).replace(/\.[a-z]+$/, '');
        const expected: unknown = JSON.parse(
          readFileSync(new URL(`${where}/${name}.json`, folder), 'utf8'),
        );
        const raw = readFileSync(new URL(file, folder), 'utf8');
        expect(outcomeOf(source, raw, mode)).toEqual(expected);
      });
    },
  );
}

describe('the settings that a draft does not hold', () => {
  it('stand beside the drawing as their gaps tell them', () => {
    const found: string[] = [];
    for (const source of ['n8n', 'dify']) {
      const folder = new URL(`${source}/`, FIXTURES);
      for (const file of readdirSync(folder).filter((name) => !name.startsWith('EXPECTED'))) {
        const raw = readFileSync(new URL(file, folder), 'utf8');
        const outcome = analyze({ source, raw, conversion: 'extended' });
        for (const { source_id, name, value } of outcome.ok
          ? (outcome.canvas.settings ?? [])
          : []) {
          const told = outcome.ok ? outcome.gaps : [];
          const own = told.filter(({ source_ref }) => source_ref.source_id === source_id);
          expect(own.some(({ detail }) => detail.includes(`${name} = ${value}`))).toBe(true);
          found.push(name);
        }
      }
    }
    expect(found).toContain('topK');
  });
});
