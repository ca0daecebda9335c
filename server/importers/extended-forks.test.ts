import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isObject } from '../kernel/json.ts';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);

type Link = readonly [from: number, to: number];

/** An export of plain steps (merges where several ways meet, if wanted), each link later-bound. */
function convert(count: number, links: readonly Link[], merging: boolean): Analysis {
  const fed = new Map<number, number>();
  for (const [, to] of links) fed.set(to, (fed.get(to) ?? 0) + 1);
  const names = Array.from({ length: count }, (_, i) => `s${i}`);
  const nodes = names.map((name, i) => ({
    ...{ id: name, name, typeVersion: 1, parameters: {} },
    type: merging && (fed.get(i) ?? 0) > 1 ? 'n8n-nodes-base.merge' : 'n8n-nodes-base.slack',
  }));
  const trigger = { id: 't', name: 't', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
  const connections: Record<string, { main: object[][] }> = {
    t: { main: [[{ node: 's0', type: 'main', index: 0 }]] },
  };
  for (const [from, to] of links) {
    const [written = []] = connections[`s${from}`]?.main ?? [];
    connections[`s${from}`] = { main: [[...written, { node: `s${to}`, type: 'main', index: 0 }]] };
  }
  const raw = JSON.stringify({ nodes: [{ ...trigger, parameters: {} }, ...nodes], connections });
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** The refs of a workflow in the order in which a run without decisions meets them. */
function runOf(outcome: Analysis, workflow: unknown, depth = 0): string[] {
  if (depth > 50) throw new Error('a workflow that calls itself');
  const one = (step: Readonly<Record<string, unknown>>): string[] => {
    if (step['kind'] !== 'workflow') return [String(step['ref'])];
    const called = member(member(outcome.spec['components'], 'workflows'), String(step['ref']));
    return runOf(outcome, called, depth + 1);
  };
  const type = member(workflow, 'type');
  if (type === 'sequential') return objects(member(workflow, 'steps')).flatMap(one);
  if (type === 'concurrent') return objects(member(workflow, 'participants')).flatMap(one);
  const nodes = member(workflow, 'nodes');
  const edges = objects(member(workflow, 'edges'));
  const out: string[] = [];
  let at: unknown = member(workflow, 'start');
  for (let turn = 0; turn < 1000 && typeof at === 'string'; turn += 1) {
    const node = member(nodes, at);
    if (isObject(node)) out.push(...one(node));
    at = edges.find((edge) => edge['from'] === at)?.['to'];
  }
  return out;
}

describe('forks without decisions (importers 14)', () => {
  const graph = fc.integer({ min: 2, max: 9 }).chain((count) =>
    fc.tuple(
      fc.constant(count),
      fc.uniqueArray(fc.tuple(fc.nat(count - 2), fc.integer({ min: 1, max: count - 1 })), {
        maxLength: 14,
        selector: (link) => link.join(),
      }),
      fc.boolean(),
    ),
  );

  it('run every step that the source runs, and none before what feeds it', () => {
    fc.assert(
      fc.property(graph, ([count, all, merging]) => {
        const links = all.filter(([from, to]) => from < to);
        const outcome = convert(count, links, merging);
        expect(outcome.gaps.filter((gap) => gap.kind === 'branching_shape')).toEqual([]);
        const run = runOf(outcome, outcome.spec['workflow']);
        const reached = new Set([0]);
        for (const at of reached) for (const [from, to] of links) if (from === at) reached.add(to);
        expect([...new Set(run)].sort()).toEqual([...reached].map((i) => `s${i}`).sort());
        for (const [from, to] of links) {
          if (!reached.has(from)) continue;
          expect(run.indexOf(`s${from}`)).toBeLessThan(run.lastIndexOf(`s${to}`));
        }
        if (merging) expect(new Set(run).size).toBe(run.length);
      }),
      { numRuns: 500 },
    );
  });
});
