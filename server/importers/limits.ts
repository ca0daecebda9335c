import { SourceRefused } from './source-refused.ts';

/** Greatest number of declared elements (importers 1, check 12). */
const MAX_ELEMENTS = 1000;

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

/** Refuses a source whose connections multiply into a draft that nobody could open. */
export function checkWays(ways: Iterable<{ readonly from: string; readonly to: string }>): void {
  const targets = new Map<string, Set<string>>();
  let count = 0;
  for (const { from, to } of ways) {
    const known = targets.get(from) ?? new Set();
    targets.set(from, known);
    if (known.has(to)) continue;
    known.add(to);
    count += 1;
  }
  if (count <= MAX_EDGES) return;
  throw new SourceRefused(
    'source_too_complex',
    `The connections of the source make ${count} edges between steps; the limit is ${MAX_EDGES}.`,
    { field: 'connections', limit: MAX_EDGES, found: count },
  );
}
