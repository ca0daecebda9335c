import { isObject, type Json, type JsonObject } from '../kernel/json.ts';
import { SourceRefused } from './source-refused.ts';

/** Greatest number of declared elements (importers 1, check 12). */
export const MAX_ELEMENTS = 1000;

/** Refuses a source with more elements than the limit, before anything is computed over them. */
export function checkElements(count: number): void {
  if (count <= MAX_ELEMENTS) return;
  throw new SourceRefused(
    'source_too_complex',
    `The source has ${count} elements; the limit is ${MAX_ELEMENTS}.`,
    { field: 'elements', limit: MAX_ELEMENTS, found: count },
  );
}

/** Greatest number of edges in one workflow of a draft; hand-made flows have a few per step. */
const MAX_EDGES = 10_000;

function countEdges(workflow: Json | undefined): number {
  const edges = isObject(workflow) ? workflow['edges'] : undefined;
  return Array.isArray(edges) ? edges.length : 0;
}

/** Refuses a source whose connections multiply into a draft that nobody could open. */
export function checkDraftSize(spec: JsonObject): void {
  const components = spec['components'];
  const workflows = isObject(components) ? components['workflows'] : undefined;
  const all = isObject(workflows) ? Object.values(workflows) : [];
  const counts = [spec['workflow'], ...all].map(countEdges);
  const most = Math.max(...counts);
  if (most <= MAX_EDGES) return;
  throw new SourceRefused(
    'source_too_complex',
    `The connections of the source make ${most} edges between steps; the limit is ${MAX_EDGES}.`,
    { field: 'connections', limit: MAX_EDGES, found: most },
  );
}
