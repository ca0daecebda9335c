import type { CanvasView, SourceSetting } from '../../contract/studio/analyses.ts';
import { machineName } from '../../spec/values/machine-name.ts';
import type { FixTarget } from './fix-types.ts';

/** An element of the source under the name that it may have in the draft. */
export interface NamedSource {
  readonly source_id: string;
  readonly name: string;
}

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
  readonly settings: readonly SourceSetting[];
}

/**
 * Says of each element what it is attached to and what comes before and after it in the draft.
 * `isStep` tells the elements that the draft has steps of.
 */
export function surroundings(
  canvas: CanvasView | undefined,
  isStep: (sourceId: string) => boolean,
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
  const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? '').filter(Boolean);
  const settings = Map.groupBy(canvas?.settings ?? [], ({ source_id }) => source_id);
  return (id) => ({
    name: names.get(id) ?? '',
    hosts: named(hosts.get(id) ?? []),
    before: named(nearest(id, back, isStep)),
    after: named(nearest(id, onward, isStep)),
    settings: settings.get(id) ?? [],
  });
}

/** A gap of an analysis, whichever form it has there. */
export interface GapFacts {
  readonly kind: string;
  readonly source_ref: { readonly source_id: string; readonly source_label: string };
  readonly spec_ref: string | null;
}

/** A gap as the edits see it, with what stands around its element. */
export function fixTarget(gapId: string, gap: GapFacts, around: Surroundings): FixTarget {
  return {
    ...around,
    name: around.name || (gap.spec_ref ?? ''),
    gap_id: gapId,
    kind: gap.kind,
    label: gap.source_ref.source_label,
  };
}
