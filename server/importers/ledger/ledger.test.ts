import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Analysis } from '../analysis.ts';
import { analyze } from '../analyze.ts';
import { readJson } from '../read-json.ts';
import { readYaml } from '../read-yaml.ts';
import { ledgerFaults } from '../testing/check-ledger.ts';
import type { Value } from '../value.ts';

const FIXTURES = new URL('../../../test/fixtures/', import.meta.url);
const FOLDERS = [
  ['n8n', 'n8n'],
  ['n8n', 'public-n8n'],
  ['dify', 'dify'],
] as const;
const FILES = FOLDERS.flatMap(([source, folder]) =>
  readdirSync(new URL(`${folder}/`, FIXTURES))
    .filter((name) => /\.(?:json|yml)$/.test(name))
    .map((name) => [source, `${folder}/${name}`] as const),
);

function rootOf(source: string, raw: string): Value {
  return source === 'n8n' ? readJson(raw) : readYaml(raw);
}

function textOf(path: string): string {
  return readFileSync(new URL(path, FIXTURES), 'utf8');
}

function converted(source: string, raw: string): Analysis {
  const outcome = analyze({ source, raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

function plain(value: Value): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map
    ? Object.fromEntries([...value].map(([key, part]) => [key, plain(part)]))
    : value;
}

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  '',
  'text',
  '={{ $json.x }}',
  [],
  {},
  [[{ node: 'x' }], null, 'y'],
  { __rl: true, mode: 'id', value: 'v' },
  { '': { 'a.b': ['"', { __proto__: 1 }] } },
];

/** Every place of a document that can be replaced: its container and its key. */
function placesOf(value: unknown, out: [object, string][] = []): [object, string][] {
  if (typeof value !== 'object' || value === null) return out;
  for (const [key, part] of Object.entries(value)) {
    out.push([value, key]);
    placesOf(part, out);
  }
  return out;
}

/** The document with odd values in places, and with odd members beside what is there. */
function mutated(root: unknown, changes: readonly (readonly [number, number, boolean])[]): unknown {
  const copy: unknown = structuredClone(root);
  for (const [pick, odd, isBeside] of changes) {
    const places = placesOf(copy);
    const [holder, key] = places[pick % Math.max(1, places.length)] ?? [];
    if (holder === undefined || key === undefined) continue;
    const name = isBeside && !Array.isArray(holder) ? `${key} beside` : key;
    Reflect.set(holder, name, structuredClone(ODD[odd % ODD.length]));
  }
  return copy;
}

describe('the ledger of a source accounts for every leaf of it once', () => {
  it.each(FILES)('%s %s', (source, path) => {
    const raw = textOf(path);
    const outcome = analyze({ source, raw, conversion: 'extended' });
    if (!outcome.ok) return;
    expect(ledgerFaults(rootOf(source, raw), outcome)).toEqual([]);
    expect(outcome.ledger?.filter(({ fate }) => fate === 'lost')).toEqual([]);
    const lost = outcome.gaps.filter((gap) =>
      /does not (?:have this way|hold that)/.test(gap.detail),
    );
    expect(lost).toEqual([]);
    const settings = outcome.gaps.filter((gap) => gap.detail.includes('No run uses'));
    for (const gap of settings) expect(gap.severity, gap.gap_id).not.toBe('info');
  });

  it.each(FILES)('%s %s, strictly: what is lost unsaid is in it too', (source, path) => {
    const raw = textOf(path);
    const outcome = analyze({ source, raw, conversion: 'strict' });
    if (!outcome.ok) return;
    expect(ledgerFaults(rootOf(source, raw), outcome)).toEqual([]);
    expect(outcome.spec['metadata']).toBeUndefined();
    const without = analyze({ source, raw, conversion: 'strict', ledger: false });
    expect(without).toEqual({ ...outcome, ledger: null });
  });

  it('whatever stands in its places', () => {
    const change = fc.tuple(fc.nat(), fc.nat(), fc.boolean());
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.nat(FILES.length - 1),
        fc.array(change, { minLength: 1, maxLength: 12 }),
        (file, changes) => {
          const [source, path] = FILES[file] ?? ['n8n', ''];
          if (path.includes('refused')) return;
          const raw = JSON.stringify(mutated(plain(rootOf(source, textOf(path))), changes));
          const strict = analyze({ source, raw, conversion: 'strict' });
          if (strict.ok) expect(ledgerFaults(rootOf(source, raw), strict)).toEqual([]);
          const outcome = analyze({ source, raw, conversion: 'extended' });
          if (!outcome.ok) return;
          accepted += 1;
          expect(ledgerFaults(rootOf(source, raw), outcome)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
    expect(accepted).toBeGreaterThan(60);
  });

  it('and names what is kept of a file that is wrapped, or is no workflow of its own', () => {
    const inner = { name: 'W', nodes: [], connections: {}, settings: { timezone: 'Europe/Rome' } };
    for (const root of [[inner], { workflow: inner, by: 'x' }, { data: inner, list: [1] }]) {
      const raw = JSON.stringify(root);
      const outcome = converted('n8n', raw);
      expect(ledgerFaults(readJson(raw), outcome)).toEqual([]);
      expect(outcome.gaps.map((gap) => gap.detail).join()).toContain('timezone = Europe/Rome');
    }
  });
});

const AGENT = '@n8n/n8n-nodes-langchain.agent';

function exportOf(nodes: readonly object[], more: object = {}): string {
  return JSON.stringify({ nodes, connections: {}, ...more });
}

describe('the ledger of a hostile file stays bounded', () => {
  const node = (name: string, parameters: object): object => ({
    ...{ id: name, name, type: AGENT, typeVersion: 1.6, position: [0, 0], parameters },
  });

  function sizeOf(raw: string): { entries: number; characters: number } {
    expect(raw.length).toBeLessThan(1_048_576);
    const outcome = converted('n8n', raw);
    const entries = outcome.ledger ?? [];
    expect(ledgerFaults(readJson(raw), outcome)).toEqual([]);
    return { entries: entries.length, characters: JSON.stringify(entries).length };
  }

  it('with 60,000 settings of different fates', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, i) => [`s${i}`, i % 2 === 0 ? { id: null } : [i]]),
    );
    expect(sizeOf(exportOf([node('A', wide)])).entries).toBeLessThan(20_001);
  });

  it('with 500 levels of long names', () => {
    let deep: object = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`leaf${i}`, i % 2 === 0 ? '' : i]),
    );
    for (let i = 0; i < 500; i += 1) deep = { [`level ${i} ${'x'.repeat(1000)}`]: deep, other: '' };
    expect(sizeOf(exportOf([node('A', deep)])).characters).toBeLessThan(20_000_000);
  });

  it('with a name of a quarter of the file, connected a thousand times', () => {
    const name = 'n'.repeat(250_000);
    const links = Array.from({ length: 1000 }, () => ({ node: 'B', type: 'main', index: 0 }));
    const connections = { [name]: { main: [links], ai_tool: [links] } };
    const raw = exportOf([node(name, { text: 'x', a: 1 }), node('B', {})], { connections });
    expect(sizeOf(raw).characters).toBeLessThan(20_000_000);
  });
});

describe('a secret that only notes would hold', () => {
  const TOKEN = ['ghp', 'Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fH3jK5'].join('_');

  it('stays out of draft, ledger and gaps', () => {
    const note = { id: 's', name: 'S', type: 'n8n-nodes-base.stickyNote', typeVersion: 1 };
    const raw = exportOf([{ ...note, parameters: { content: `use ${TOKEN}` } }], {
      name: `flow ${TOKEN}`,
      settings: { errorWorkflow: TOKEN, timezone: 'UTC' },
      extra: { [TOKEN]: 1, password: 'correct horse 7 battery' },
    });
    const { canvas: _drawing, origin: _origin, ...made } = converted('n8n', raw);
    const text = JSON.stringify(made);
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain('correct horse');
    expect(made.ledger?.some((entry) => entry.form === 'redacted')).toBe(true);
  });
});
