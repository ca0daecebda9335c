import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import type { DraftPlace, DraftReading, NamedSource } from './draft/draft-protocol.ts';
import { machineName } from './draft/draft-steps.ts';

/** Source elements and the parts of the draft that they became, both ways. */
export interface Links {
  /** Nodes of the draft's graph. */
  readonly nodesOf: ReadonlyMap<string, readonly string[]>;
  readonly sourceOf: ReadonlyMap<string, string>;
  readonly placeOf: ReadonlyMap<string, DraftPlace>;
  /** The element that another one is part of: the agent of a model or a memory. */
  readonly hostOf: ReadonlyMap<string, string>;
}

export const NO_LINKS: Links = {
  nodesOf: new Map(),
  sourceOf: new Map(),
  placeOf: new Map(),
  hostOf: new Map(),
};

/**
 * The name that each source element has in the draft: the step that the import names, else the name
 * that an import makes of its own one, unless two elements share that.
 */
export function namedSources(canvas: CanvasView | undefined): readonly NamedSource[] {
  const nodes = canvas?.nodes ?? [];
  const counts = new Map<string, number>();
  for (const { label } of nodes) {
    const name = machineName(label);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return nodes.map(({ source_id, label, spec_ref }) => {
    const made = machineName(label);
    return { source_id, name: spec_ref ?? (counts.get(made) === 1 ? made : '') };
  });
}

/** The hosts of attached elements that are no part of the draft of their own. */
function hostsOf(canvas: CanvasView, reading: DraftReading): ReadonlyMap<string, string> {
  const hosts = new Map<string, string>();
  for (const { source_id, target_id, kind } of canvas.edges) {
    const own = reading.placeOf[source_id] !== undefined;
    if (kind !== 'main' && !own && !hosts.has(source_id)) {
      hosts.set(source_id, target_id);
    }
  }
  return hosts;
}

/** The nearest elements that the draft has steps of, along the source's main lines. */
function nearest(
  start: string,
  lines: ReadonlyMap<string, readonly string[]>,
  isStep: (id: string) => boolean,
): readonly string[] {
  const seen = new Set([start]);
  const found: string[] = [];
  const queue = [start];
  for (const id of queue) {
    for (const next of lines.get(id) ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        (isStep(next) ? found : queue).push(next);
      }
    }
  }
  return found;
}

/** What stands around an element of the source, by the names that these have in the draft. */
export interface Surroundings {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Says of each element what it is attached to and what comes before and after it in the draft. */
export function surroundings(
  canvas: CanvasView | undefined,
  links: Links,
): (sourceId: string) => Surroundings {
  const names = new Map(namedSources(canvas).map(({ source_id, name }) => [source_id, name]));
  const main = (canvas?.edges ?? []).filter(({ kind }) => kind === 'main');
  const attached = (canvas?.edges ?? []).filter(({ kind }) => kind !== 'main');
  const grouped = (pairs: readonly (readonly [string, string])[]) =>
    new Map(
      [...Map.groupBy(pairs, ([from]) => from)].map(([from, list]) => [
        from,
        list.map(([, to]) => to),
      ]),
    );
  const onward = grouped(main.map((edge) => [edge.source_id, edge.target_id]));
  const back = grouped(main.map((edge) => [edge.target_id, edge.source_id]));
  const hosts = grouped(attached.map((edge) => [edge.source_id, edge.target_id]));
  const isStep = (id: string): boolean => links.nodesOf.has(id);
  const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? '').filter(Boolean);
  return (id) => ({
    name: names.get(id) ?? '',
    hosts: named(hosts.get(id) ?? []),
    before: named(nearest(id, back, isStep)),
    after: named(nearest(id, onward, isStep)),
  });
}

/** Joins the source's drawing and the draft's graph. */
export function linkDraft(canvas: CanvasView, reading: DraftReading): Links {
  const hostOf = hostsOf(canvas, reading);
  const nodesOf = new Map<string, readonly string[]>();
  const placeOf = new Map<string, DraftPlace>();
  const sourceOf = new Map<string, string>();
  for (const { source_id } of canvas.nodes) {
    const host = hostOf.get(source_id);
    const nodes = reading.nodesOf[source_id] ?? (host && reading.nodesOf[host]);
    const place = reading.placeOf[source_id] ?? (host && reading.placeOf[host]);
    if (nodes !== undefined && nodes !== '') {
      nodesOf.set(source_id, nodes);
    }
    if (place !== undefined && place !== '') {
      placeOf.set(source_id, place);
    }
    for (const node of reading.nodesOf[source_id] ?? []) {
      sourceOf.set(node, source_id);
    }
  }
  return { nodesOf, sourceOf, placeOf, hostOf };
}
