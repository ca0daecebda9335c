import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { looksSecret } from '../kernel/secret-names.ts';
import { findSecretShapes } from '../kernel/secret-shapes.ts';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec, validateText } from '../spec/rules/validate.ts';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';

const FOLDER = new URL('../../test/fixtures/public-n8n/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

function convert(file: string): { raw: string; outcome: Analysis } {
  const raw = readFileSync(new URL(file, FOLDER), 'utf8');
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(`${file} was refused: ${outcome.message}`);
  return { raw, outcome };
}

/** Literal texts under secret-looking names, as the file has them. */
function literalsOf(value: unknown, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) literalsOf(item, found);
  else if (typeof value === 'object' && value !== null) {
    const members: Record<string, unknown> = { ...value };
    for (const [key, item] of Object.entries(members)) {
      const isText = typeof item === 'string' && item.trim().length >= 12 && !item.startsWith('=');
      if (isText && looksSecret(key) && !/CredentialType|AuthType/.test(key))
        found.push(item.trim());
      else literalsOf(item, found);
    }
  }
  return found;
}

describe('an export as people publish it', () => {
  it.each(FILES)('%s becomes a valid draft that names every element', (file) => {
    const { raw, outcome } = convert(file);
    const loaded = loadSpec({ base: outcome.spec });
    const findings = loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
    expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
    expect(loaded.spec).toBeDefined();

    const named = new Set(outcome.gaps.map((gap) => gap.source_ref.source_id));
    const missing = outcome.canvas.nodes.filter(
      (node) => node.spec_ref === null && !named.has(node.source_id),
    );
    expect(missing).toEqual([]);

    const { canvas: _canvas, ...stored } = outcome;
    const text = JSON.stringify(stored);
    expect(findSecretShapes(outcome.spec_yaml)).toEqual([]);
    const document: unknown = JSON.parse(raw);
    const nodes = (document as { nodes: { parameters?: unknown }[] }).nodes;
    for (const literal of literalsOf(nodes.map((node) => node.parameters))) {
      expect(text).not.toContain(JSON.stringify(literal).slice(1, -1));
    }
    expect(analyze({ source: 'n8n', raw, conversion: 'extended' })).toEqual(outcome);
  });

  it('the text of a draft reads back as the draft', () => {
    for (const file of FILES.slice(0, 20)) {
      const { outcome } = convert(file);
      const found = validateText(outcome.spec_yaml, 'yaml');
      expect(found.diagnostics.filter((finding) => finding.code === 'E_PARSE')).toEqual([]);
    }
  });
});
