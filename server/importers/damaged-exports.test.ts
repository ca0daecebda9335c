import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isItemFlow, itemFlowFaults } from '../../test/support/item-flow-faults.ts';
import { damaged, damagedData } from '../../test/support/mutate-export.ts';
import { lostOutputs } from '../../test/support/wired-outputs.ts';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import type { Analysis, Conversion } from './analysis.ts';
import { analyze } from './analyze.ts';

const FIXTURES = new URL('../../test/fixtures/', import.meta.url);
const SMALL = 30_000;

function textsOf(folder: string): string[] {
  const url = new URL(folder, FIXTURES);
  return readdirSync(url)
    .filter((name) => /\.(?:json|yml)$/.test(name) && !name.startsWith('refused'))
    .map((name) => readFileSync(new URL(name, url), 'utf8'))
    .filter((text) => text.length < SMALL);
}

const N8N = [...textsOf('n8n/'), ...textsOf('public-n8n/')];
const DIFY = textsOf('dify/').map((text) => JSON.stringify(parse(text)));

/** What the file itself may be refused for; anything else is a fault of ours. */
const REFUSALS = [
  'raw_required',
  'source_unparseable',
  'source_too_complex',
  'source_credential_in_generated_content',
];

function convert(source: string, raw: string, conversion: Conversion): Analysis | undefined {
  const outcome = analyze({ source, raw, conversion });
  expect(analyze({ source, raw, conversion })).toEqual(outcome);
  if (outcome.ok) {
    const { spec, diagnostics } = loadSpec({ base: outcome.spec });
    const findings = spec === undefined ? diagnostics : validateSpec(spec);
    expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
    return outcome;
  }
  expect(REFUSALS).toContain(outcome.code);
  return undefined;
}

const number = fc.nat(1_000_000);
const damage = fc.array(fc.tuple(number, number, number, number), { maxLength: 8 });

function edgesOf({ spec }: Analysis): readonly unknown[] {
  const { edges } = (spec['workflow'] ?? {}) as { edges?: unknown[] };
  return edges ?? [];
}

describe('a damaged export (importers 14, 15)', () => {
  it('of n8n: no wired output is lost unsaid, and every element is named', () => {
    fc.assert(
      fc.property(fc.constantFrom(...N8N), damage, (text, steps) => {
        const raw = damaged(text, steps);
        const outcome = convert('n8n', raw, 'extended');
        if (outcome === undefined) return;
        const lost = isItemFlow(outcome) ? itemFlowFaults : lostOutputs;
        expect(lost(raw, outcome)).toEqual([]);
        const named = new Set(outcome.gaps.map((gap) => gap.source_ref.source_id));
        const silent = outcome.canvas.nodes.filter(
          (node) => node.spec_ref === null && !named.has(node.source_id),
        );
        expect(silent).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('of n8n: the strict conversion gives a valid draft or refuses it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...N8N), damage, (text, steps) => {
        convert('n8n', damaged(text, steps), 'strict');
      }),
      { numRuns: 100 },
    );
  });

  it.each<Conversion>(['extended', 'strict'])('of Dify: the %s draft is valid', (conversion) => {
    fc.assert(
      fc.property(fc.constantFrom(...DIFY), damage, (text, steps) => {
        convert('dify', damagedData(text, steps), conversion);
      }),
      { numRuns: 100 },
    );
  });

  it('what follows the outputs finds one that is missing', () => {
    const found = N8N.flatMap((raw) => {
      const outcome = convert('n8n', raw, 'extended');
      const edges = outcome === undefined ? [] : edgesOf(outcome);
      const isText = outcome !== undefined && !isItemFlow(outcome);
      return isText && edges.length > 1 ? [{ raw, outcome }] : [];
    });
    const [{ raw, outcome } = { raw: '', outcome: undefined }] = found;
    if (outcome === undefined) throw new Error('no flow of texts');
    const workflow = outcome.spec['workflow'] as object;
    const all = edgesOf(outcome);
    const lost = all.map((_edge, i) => {
      const edges = all.filter((_other, other) => other !== i);
      const spec = { ...outcome.spec, workflow: { ...workflow, edges } };
      return lostOutputs(raw, { ...outcome, spec } as Analysis).length;
    });
    expect(lost.every((count) => count > 0)).toBe(true);
  });
});
