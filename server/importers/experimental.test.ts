import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import { parseSpecText } from '../spec/yaml/parse-yaml.ts';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';
import { readCrew } from './crewai/load.ts';
import { readJson } from './read-json.ts';
import { ledgerFaults } from './testing/check-ledger.ts';

const FIXTURES = new URL('../../test/fixtures/', import.meta.url);
const REFUSALS = [
  'raw_required',
  'source_unparseable',
  'source_too_complex',
  'source_credential_in_generated_content',
];

type Source = 'crewai' | 'flowise';

function textsOf(source: Source): string[] {
  const folder = new URL(`${source}/`, FIXTURES);
  return readdirSync(folder)
    .filter((name) => /\.(?:json|ya?ml)$/.test(name) && !name.startsWith('refused'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
}

function rootOf(source: Source, raw: string) {
  return source === 'flowise' ? readJson(raw) : readCrew(raw);
}

/** What holds for every file: valid or refused, the same again, every element named, no hole in its ledger. */
function check(source: Source, raw: string): Analysis | undefined {
  const outcome = analyze({ source, raw, conversion: 'extended' });
  expect(analyze({ source, raw, conversion: 'extended' })).toEqual(outcome);
  if (!outcome.ok) {
    expect(REFUSALS).toContain(outcome.code);
    return undefined;
  }
  const { spec, diagnostics } = loadSpec({ base: outcome.spec });
  const findings = spec === undefined ? diagnostics : validateSpec(spec);
  expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
  expect(parseSpecText(outcome.spec_yaml, 'yaml').value).toEqual(outcome.spec);
  const named = new Set(outcome.gaps.map((gap) => gap.source_ref.source_id));
  const silent = outcome.canvas.nodes.filter(
    (node) => node.spec_ref === null && !named.has(node.source_id),
  );
  expect(silent).toEqual([]);
  expect(ledgerFaults(rootOf(source, raw), outcome)).toEqual([]);
  return outcome;
}

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  7,
  '',
  'text',
  '{{ question }}',
  '<p>{{ $flow.state.x }}</p>',
  '{topic}',
  [],
  {},
  ['research_task', 3],
  [{ role: 'system', content: 'Be.' }],
  { '': { 'a.b': ['"', 1] } },
];

function placesOf(value: unknown, out: [object, string][] = []): [object, string][] {
  if (typeof value !== 'object' || value === null) return out;
  for (const [key, part] of Object.entries(value)) {
    out.push([value, key]);
    placesOf(part, out);
  }
  return out;
}

type Change = readonly [place: number, odd: number, isBeside: boolean];

/** The document with odd values in places, and with odd members beside what is there. */
function mutated(root: unknown, changes: readonly Change[]): unknown {
  const copy: unknown = structuredClone(root);
  for (const [place, odd, isBeside] of changes) {
    const places = placesOf(copy);
    const [holder, key] = places[place % Math.max(1, places.length)] ?? [];
    if (holder === undefined || key === undefined) continue;
    const name = isBeside && !Array.isArray(holder) ? `${key} beside` : key;
    Reflect.set(holder, name, structuredClone(ODD[odd % ODD.length]));
  }
  return copy;
}

const FLOWS: readonly unknown[] = textsOf('flowise').map((text) => JSON.parse(text));
const CREWS: readonly unknown[] = textsOf('crewai').map((text) => {
  const parts = parseAllDocuments(text).map((part) => part.toJS());
  return parts.length === 1 ? parts[0] : { agents: parts[0], tasks: parts[1] };
});
const changes = fc.array(fc.tuple(fc.nat(100_000), fc.nat(ODD.length - 1), fc.boolean()), {
  maxLength: 6,
});

describe('experimental sources (importers 16)', () => {
  it.each<Source>(['crewai', 'flowise'])('%s has no strict conversion', (source) => {
    const [raw = ''] = textsOf(source);
    expect(analyze({ source, raw, conversion: 'strict' })).toMatchObject({
      ok: false,
      status: 501,
      code: 'not_implemented',
      message: 'This source has no strict conversion.',
    });
  });

  it.each<Source>(['crewai', 'flowise'])(
    '%s: every fixture has a ledger without holes',
    (source) => {
      for (const raw of textsOf(source)) expect(check(source, raw)).toBeDefined();
    },
  );

  it('Flowise: files with odd values are converted whole or refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FLOWS), changes, (root, list) => {
        check('flowise', JSON.stringify(mutated(root, list)));
      }),
      { numRuns: 300 },
    );
  });

  it('CrewAI: files with odd values are converted whole or refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CREWS), changes, (root, list) => {
        check('crewai', stringify(mutated(root, list), { aliasDuplicateObjects: false }));
      }),
      { numRuns: 300 },
    );
  });

  const kinds = [
    ...['start', 'agent', 'llm', 'condition', 'conditionAgent', 'humanInput', 'loop', 'http'],
    ...['iteration', 'executeFlow', 'directReply', 'tool', 'retriever', 'stickyNote', 'odd'],
  ].map((kind) => `${kind}Agentflow`);
  const flow = fc
    .array(fc.tuple(fc.constantFrom(...kinds), fc.constantFrom('A', 'Ä', '', '1'), fc.nat(20)), {
      minLength: 1,
      maxLength: 10,
    })
    .chain((nodes) =>
      fc
        .array(fc.tuple(fc.nat(nodes.length - 1), fc.nat(nodes.length - 1), fc.nat(2)), {
          maxLength: 16,
        })
        .map((wires) => ({ nodes, wires })),
    )
    .map(({ nodes, wires }) => ({
      nodes: nodes.map(([name, label, seed], i) => {
        const owner = nodes.findIndex(([kind]) => kind === 'iterationAgentflow');
        const inputs = {
          agentModel: 'chatOpenAI',
          agentModelConfig: { modelName: 'm' },
          conditions: [
            { type: 'string', value1: `{{ n${seed} }}`, operation: 'equal', value2: 'x' },
          ],
          conditionAgentScenarios: [{ scenario: 'a' }, { scenario: 'b' }],
          loopBackToNode: `n${seed % nodes.length}-X`,
          maxLoopCount: seed % 4,
        };
        const isInside = owner >= 0 && owner !== i && seed % 3 === 0;
        return {
          id: `n${i}`,
          type: 'agentFlow',
          data: { id: `n${i}`, name, label, inputs },
          ...(isInside ? { parentNode: `n${owner}` } : {}),
        };
      }),
      edges: wires.map(([from, to, output]) => ({
        source: `n${from}`,
        target: `n${to}`,
        sourceHandle: `n${from}-output-${output}`,
      })),
    }));

  it('Flowise: random flows, with rings, containers in each other and edges of all outputs', () => {
    fc.assert(
      fc.property(flow, (root) => {
        check('flowise', JSON.stringify(root));
      }),
      { numRuns: 300 },
    );
  });

  it('a planted secret appears nowhere', () => {
    const secret = 'sk-proj-Zk3n9Qw8Ls02Vb7Xy41Rt6Up';
    fc.assert(
      fc.property(fc.constantFrom(...FLOWS), fc.nat(100_000), (root, place) => {
        const copy: unknown = structuredClone(root);
        const texts = placesOf(copy).filter(
          ([holder, key]) =>
            typeof Reflect.get(holder, key) === 'string' &&
            !/^(?:id|type|name|source|target|parentNode|sourceHandle|targetHandle)$/.test(key),
        );
        const [holder, key] = texts[place % texts.length] ?? [];
        if (holder === undefined || key === undefined) return;
        Reflect.set(holder, key, `Bearer ${secret}`);
        const outcome = analyze({
          source: 'flowise',
          raw: JSON.stringify(copy),
          conversion: 'extended',
        });
        expect(JSON.stringify(outcome)).not.toContain(secret);
      }),
      { numRuns: 100 },
    );
  });
});
