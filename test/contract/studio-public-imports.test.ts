import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { analyze } from '../../server/importers/analyze.ts';
import { scanCapabilities } from '../../server/spec/reports/privileges.ts';
import { readComponent } from '../../server/studio/artifacts/component-text.ts';

const folder = new URL('../fixtures/public-n8n/', import.meta.url);
const rules = {
  policy: 'local',
  registry: {},
  secretNamespace: null,
  hostAllowlist: [],
  egressEnforced: false,
} as const;

test('every accepted public export is a component that a local binding lets through', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const raw = readFileSync(new URL(file, folder), 'utf8');
    const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
    if (!outcome.ok) continue;
    const read = readComponent('draft.yaml', outcome.spec_yaml);
    expect(read.ok, file).toBe(true);
    if (read.ok) expect(scanCapabilities(read.document, rules).outcome, file).toBe('passed');
  }
});
