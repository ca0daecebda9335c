import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).SOME_STEP_TYPES,
);

const FIXTURES = new URL('../../test/fixtures/', import.meta.url);

for (const source of ['n8n', 'dify', 'crewai', 'flowise']) {
  const folder = new URL(`${source}/`, FIXTURES);
  const files = readdirSync(folder).filter((name) => !name.startsWith('EXPECTED'));
  describe(`the extended conversion of ${source} gives a valid draft that names every element of`, () => {
    it.each(files)('%s', (file) => {
      const raw = readFileSync(new URL(file, folder), 'utf8');
      const outcome = analyze({ source, raw, conversion: 'extended' });
      if (!outcome.ok) {
        expect(file).toMatch(/^refused-/);
        return;
      }
      const loaded = loadSpec({ base: outcome.spec });
      const findings = loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
      expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
      const named = new Set(outcome.gaps.map((gap) => gap.source_ref.source_id));
      expect(
        outcome.canvas.nodes.filter((n) => n.spec_ref === null && !named.has(n.source_id)),
      ).toEqual([]);
      expect(outcome.importer).toBe(source);
    });
  });
}
