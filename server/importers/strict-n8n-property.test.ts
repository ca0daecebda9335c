import fc from 'fast-check';
import { expect, it } from 'vitest';
import { n8nExport, n8nNode, type SampleNode } from '../../test/support/n8n-export.ts';
import { accepted } from '../../test/support/strict-n8n.ts';
import { isJsonObject, type Json } from '../kernel/json.ts';

// Small flows of every shape against the rules of importers 6.4 to 6.7, written here a second time
// and as plainly as they are told there.

type Kind = 'trigger' | 'agent' | 'other' | 'off' | 'if';
const TYPES: Readonly<Record<Kind, string>> = {
  trigger: 'manualTrigger',
  agent: 'lc:agent',
  other: 'set',
  off: 'set',
  if: 'if',
};

interface Link {
  readonly from: number;
  readonly port: number;
  readonly to: number;
}

/** Links in the order in which a file has them: by source, port, and as they were written. */
function inOrder(kinds: readonly Kind[], given: readonly Link[]): Link[] {
  const links = given.filter(({ from, to }) => kinds[to] !== 'trigger' && from < kinds.length);
  const keys = [...new Set(links.map(({ from }) => from))];
  return keys.flatMap((key) => {
    const own = links.filter(({ from }) => from === key);
    const ports = kinds[key] === 'if' ? [0, 1] : [0];
    return ports.flatMap((port) =>
      own
        .filter((link) => (kinds[key] === 'if' ? link.port : 0) === port)
        .map(({ from, to }) => ({ from, port, to })),
    );
  });
}

interface Way {
  readonly to: number;
  readonly label: string;
}

class Oracle {
  private readonly kinds: readonly Kind[];
  private readonly links: readonly Link[];

  constructor(kinds: readonly Kind[], links: readonly Link[]) {
    this.kinds = kinds;
    this.links = links;
  }

  private isStep(at: number): boolean {
    return this.kinds[at] === 'agent';
  }

  /** 6.5: breadth first to the next steps, everything else crossed once. */
  ways(start: number): Way[] {
    const out: Way[] = [];
    const seen = new Set<number>();
    const queue: Way[] = [{ to: start, label: '' }];
    for (const way of queue) {
      for (const { port, to } of this.links.filter(({ from }) => from === way.to)) {
        const several = this.links.some((link) => link.from === way.to && link.port > 0);
        const label = [way.label, several ? String(port) : ''].filter((part) => part !== '');
        const next = { to, label: label.join('/') };
        if (this.isStep(to)) out.push(next);
        else if (!seen.has(to)) {
          seen.add(to);
          queue.push(next);
        }
      }
    }
    return out;
  }

  steps(): number[] {
    return this.kinds.flatMap((_, at) => (this.isStep(at) ? [at] : []));
  }

  /** 6.4: the steps that each trigger leads to. */
  reached(entry: number): number[] {
    const seen = new Set([entry]);
    for (const at of seen) for (const { from, to } of this.links) if (from === at) seen.add(to);
    return this.steps().filter((at) => seen.has(at));
  }

  entries(): number[] {
    return this.kinds.flatMap((kind, at) => (kind === 'trigger' ? [at] : []));
  }

  /** 6.7: edges in collapse order, the first of each pair. */
  edges(): string[] {
    const all = this.steps().flatMap((from) => this.ways(from).map((way) => ({ from, ...way })));
    const first = new Map(all.toReversed().map((edge) => [`${edge.from} ${edge.to}`, edge]));
    const once = all.filter((edge) => first.get(`${edge.from} ${edge.to}`) === edge);
    return once.map(({ from, to, label }) => `n${from} n${to} ${label}`);
  }
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

const graph = fc.record({
  kinds: fc.array(
    fc.constantFrom<Kind>('trigger', 'agent', 'agent', 'agent', 'other', 'off', 'if'),
    { minLength: 2, maxLength: 8 },
  ),
  links: fc.array(fc.record({ from: fc.nat(7), port: fc.nat(1), to: fc.nat(7) }), {
    minLength: 1,
    maxLength: 12,
  }),
});

it('edges, reachability and family of any small flow are those of the rules (importers 6.4 to 6.7)', () => {
  let graphs = 0;
  fc.assert(
    fc.property(graph, ({ kinds, links: given }) => {
      const links = inOrder(
        kinds,
        given.filter(({ to }) => to < kinds.length),
      );
      const oracle = new Oracle(kinds, links);
      const nodes = kinds.map(
        (kind, at): SampleNode =>
          n8nNode(`N${at}`, TYPES[kind], {}, kind === 'off' ? { disabled: true } : {}),
      );
      const wires = links.map(({ from, port, to }) => `N${from}${port === 0 ? '' : ':1'}>N${to}`);
      const { spec, gaps } = accepted(n8nExport(nodes, wires.join(' ')));
      const told = (kind: string): string[] =>
        gaps.filter((gap) => gap.kind === kind).map((gap) => gap.source_ref.source_id);
      if (oracle.steps().length === 0) {
        // A loop without a step would be of the graph family; there is none here.
        expect(spec['workflow']).toBeUndefined();
        return;
      }
      const entries = oracle.entries();
      const reached = entries.map((entry) => oracle.reached(entry));
      const unreached = oracle.steps().filter((at) => !reached.some((own) => own.includes(at)));
      if (entries.length > 0) {
        expect(told('unreachable_from_entry')).toEqual(unreached.map((at) => `n${at}`));
        const isSame = new Set(reached.map((own) => own.join())).size < 2;
        expect(told('divergent_entry')).toEqual(isSame ? [] : entries.map((at) => `n${at}`));
      } else expect(told('no_entry')).toHaveLength(1);
      const workflow = spec['workflow'];
      if (!isJsonObject(workflow)) throw new Error('there is no workflow');
      if (kinds.includes('if')) expect(workflow['type']).toBe('graph');
      const edges = oracle.edges();
      if (workflow['type'] === 'sequential') {
        const ids = list(workflow['steps']).map((step) => isJsonObject(step) && step['id']);
        expect(edges.map((edge) => edge.trim()).sort()).toEqual(
          ids
            .slice(1)
            .map((id, at) => `${String(ids[at])} ${String(id)}`)
            .sort(),
        );
        return;
      }
      graphs += 1;
      const written = list(workflow['edges']).map((edge) => {
        if (!isJsonObject(edge)) return '';
        return `${String(edge['from'])} ${String(edge['to'])} ${String(edge['label'] ?? '')}`;
      });
      expect(written).toEqual(edges);
    }),
    { numRuns: 800 },
  );
  expect(graphs).toBeGreaterThan(100);
});
