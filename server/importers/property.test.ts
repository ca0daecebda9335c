import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnalyzeOutcome, Conversion } from './analysis.ts';
import { analyze } from './analyze.ts';

const CONVERSIONS: Conversion[] = ['strict', 'extended'];

function run(raw: string, conversion: Conversion, source = 'n8n'): AnalyzeOutcome {
  return analyze({ source, raw, conversion });
}

const TYPES = [
  'n8n-nodes-base.manualTrigger',
  'n8n-nodes-base.set',
  'n8n-nodes-base.if',
  'n8n-nodes-base.switch',
  'n8n-nodes-base.wait',
  'n8n-nodes-base.merge',
  'n8n-nodes-base.splitInBatches',
  'n8n-nodes-base.stopAndError',
  '@n8n/n8n-nodes-langchain.agent',
  '@n8n/n8n-nodes-langchain.chainLlm',
  '@n8n/n8n-nodes-langchain.textClassifier',
  '@n8n/n8n-nodes-langchain.lmChatOpenAi',
  'some-package.thing',
];

const nodeArbitrary = fc.record({
  type: fc.constantFrom(...TYPES),
  typeVersion: fc.constantFrom(1, 1.6, 2, 3, 3.2, 9),
  disabled: fc.boolean(),
  onError: fc.constantFrom('continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'),
  parameters: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
});

const exportArbitrary = fc.array(nodeArbitrary, { minLength: 1, maxLength: 9 }).chain((nodes) =>
  fc
    .array(
      fc.tuple(
        fc.nat(nodes.length - 1),
        fc.nat(nodes.length - 1),
        fc.nat(2),
        fc.constantFrom('main', 'main', 'main', 'ai_tool', 'ai_languageModel', 'ai_memory'),
      ),
      { maxLength: 16 },
    )
    .map((links) => {
      const connections: Record<string, Record<string, { node: string }[][]>> = {};
      for (const [from, to, port, type] of links) {
        const buckets = connections[`N${from}`] ?? {};
        const ports = buckets[type] ?? [[], [], []];
        connections[`N${from}`] = { ...buckets, [type]: ports };
        ports[port]?.push({ node: `N${to}` });
      }
      const named = nodes.map((node, i) => ({ ...node, id: `id-${i}`, name: `N${i}` }));
      return JSON.stringify({ nodes: named, connections });
    }),
);

describe('any input ends in an outcome', () => {
  it.each(CONVERSIONS)('a random workflow in the %s conversion, twice the same', (conversion) => {
    fc.assert(
      fc.property(exportArbitrary, (raw) => {
        const first = run(raw, conversion);
        expect(run(raw, conversion)).toEqual(first);
        if (!first.ok) {
          expect(first.code).not.toBe('importer_graph_invalid');
          expect(first.code).not.toBe('analysis_cards_invalid');
        }
      }),
      { numRuns: 150 },
    );
  });

  it('random text in every source and conversion', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        fc.constantFrom('n8n', 'dify'),
        fc.constantFrom(...CONVERSIONS),
        (raw, source, conversion) => {
          expect(run(raw, conversion, source).ok).toBeTypeOf('boolean');
        },
      ),
      { numRuns: 150 },
    );
  });
});

function ladder(count: number): string {
  const connections: Record<string, unknown> = {};
  const nodes = Array.from({ length: count }, (_, i) => {
    const targets = [i + 1, i + 2].filter((to) => to < count).map((to) => ({ node: `N${to}` }));
    connections[`N${i}`] = { main: [targets] };
    const type = i === 0 ? 'n8n-nodes-base.manualTrigger' : '@n8n/n8n-nodes-langchain.agent';
    return { id: `i${i}`, name: `N${i}`, type, typeVersion: 1.6, parameters: {} };
  });
  return JSON.stringify({ nodes, connections });
}

describe('hostile input is bounded', () => {
  it('deep nesting is refused, not overflowed', () => {
    const deep = `{"nodes":${'['.repeat(100_000)}`;
    expect(run(deep, 'extended')).toMatchObject({ ok: false, code: 'source_unparseable' });
    const yaml = `a: ${'['.repeat(20_000)}`;
    expect(run(yaml, 'strict', 'dify')).toMatchObject({ ok: false, code: 'source_unparseable' });
  });

  it('aliases that multiply are refused', () => {
    const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i += 1) {
      const ten = Array.from({ length: 10 }, () => `*a${i - 1}`).join(',');
      lines.push(`a${i}: &a${i} [${ten}]`);
    }
    const outcome = run(lines.join('\n'), 'strict', 'dify');
    expect(outcome).toMatchObject({ ok: false, code: 'source_unparseable' });
  });

  it('a source over 1 MiB or over 1000 elements is refused with its own code', () => {
    expect(run('x'.repeat(1_048_577), 'extended')).toMatchObject({
      status: 413,
      code: 'source_too_large',
    });
    expect(run(ladder(1001), 'strict')).toMatchObject({ status: 413, code: 'source_too_complex' });
    expect(run('', 'strict')).toMatchObject({ code: 'raw_required' });
    expect(run('{}', 'strict', 'nothing')).toMatchObject({ code: 'source_unknown' });
    expect(run('{}', 'strict', 'flowise')).toMatchObject({ code: 'not_implemented' });
  });

  it.each(CONVERSIONS)('a thousand overlapping forks end in seconds (%s)', (conversion) => {
    const started = performance.now();
    expect(run(ladder(1000), conversion).ok).toBe(true);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('names that are keys of every object stay names', () => {
    const raw = JSON.stringify({
      nodes: ['__proto__', 'constructor', '1', '0'].map((name, i) => ({
        id: `i${i}`,
        name,
        type: '@n8n/n8n-nodes-langchain.agent',
        typeVersion: 1.6,
        parameters: { options: { systemMessage: name } },
      })),
      connections: {},
    }).replace(
      '"connections":{}',
      '"connections":{"1":{"main":[[{"node":"0"}]]},"0":{"main":[[{"node":"__proto__"}]]}}',
    );
    const outcome = run(raw, 'strict');
    expect(outcome.ok && outcome.spec['workflow']).toMatchObject({
      edges: [
        { from: '1', to: '0' },
        { from: '0', to: 'proto' },
      ],
    });
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  });
});
