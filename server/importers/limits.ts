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
