/** One step of a place in a document: a key of a mapping or a position in a list. */
export type PathSegment = string | number;
/** A place in a document, from the root. */
export type Path = readonly PathSegment[];

/**
 * The written form of a place (spec-v1 6): dots between keys, `[i]` for list positions, names raw.
 * The root is the empty text.
 */
export function formatPath(path: Path): string {
  let out = '';
  for (const segment of path) {
    if (typeof segment === 'number') out += `[${segment}]`;
    else out += out === '' ? segment : `.${segment}`;
  }
  return out;
}
