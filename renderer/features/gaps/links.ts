import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import type { SketchedPart } from '../../../server/spec/edit/function-sketch.ts';
import type { DraftPlace, DraftReading } from './draft/draft-protocol.ts';

/** Source elements and the parts of the draft that they became, both ways. */
export interface Links {
  /** Nodes of the draft's graph. */
  readonly nodesOf: ReadonlyMap<string, readonly string[]>;
  readonly sourceOf: ReadonlyMap<string, string>;
  readonly placeOf: ReadonlyMap<string, DraftPlace>;
  /** The element that another one is part of: the agent of a model or a memory. */
  readonly hostOf: ReadonlyMap<string, string>;
  /** What of an element waits for code. */
  readonly codeOf: Readonly<Record<string, SketchedPart>>;
  /** The name of the secret that an element's credential is bound to. */
  readonly secretOf: Readonly<Record<string, string>>;
}

export const NO_LINKS: Links = {
  nodesOf: new Map(),
  sourceOf: new Map(),
  placeOf: new Map(),
  hostOf: new Map(),
  codeOf: {},
  secretOf: {},
};

/**
 * The elements that attached elements belong to, where these have no part of the draft themselves.
 */
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
  const { codeOf, secretOf } = reading;
  return { nodesOf, sourceOf, placeOf, hostOf, codeOf, secretOf };
}
