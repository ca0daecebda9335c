import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';

const FIXTURES = new URL('../../test/fixtures/', import.meta.url);

/** The outcome in the shape of the expected files: wording is left out. */
function outcomeOf(source: string, raw: string): unknown {
  const outcome = analyze({ source, raw, conversion: 'strict' });
  if (!outcome.ok) return { refused: { status: outcome.status, code: outcome.code } };
  return {
    summary: outcome.summary,
    gaps: outcome.gaps.map(({ title: _title, detail: _detail, ...gap }) => gap),
    suggestions: outcome.suggestions.map(({ id, category }) => ({ id, category })),
    spec: outcome.spec,
  };
}

for (const source of ['n8n', 'dify']) {
  const folder = new URL(`${source}/`, FIXTURES);
  describe(`the strict conversion of ${source} gives the expected outcome of`, () => {
    const files = readdirSync(folder).filter((name) => name !== 'EXPECTED');
    it.each(files)('%s', (file) => {
      const name = basename(file).replace(/\.[a-z]+$/, '');
      const expected: unknown = JSON.parse(
        readFileSync(new URL(`EXPECTED/${name}.json`, folder), 'utf8'),
      );
      expect(outcomeOf(source, readFileSync(new URL(file, folder), 'utf8'))).toEqual(expected);
    });
  });
}
