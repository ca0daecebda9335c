import type { SourceNode } from '../../yaml/source-map.ts';

/** The ranges of all keys and single values, in the order of the text. */
function* scalarRanges(node: SourceNode): Generator<{ start: number; end: number }> {
  if (node.kind === 'scalar') yield node;
  else if (node.kind === 'list') for (const item of node.items) yield* scalarRanges(item);
  else if (node.kind === 'map') {
    for (const { keyStart, keyEnd, value } of node.entries) {
      yield { start: keyStart, end: keyEnd };
      yield* scalarRanges(value);
    }
  }
}

/** How many comments a text has; a `#` in a key or value is none. */
export function countComments(text: string, root: SourceNode | undefined): number {
  let count = 0;
  let at = 0;
  const mark = /(?<=^|\s)#.*/g;
  const look = (end: number): void => {
    count += text.slice(at, Math.max(at, end)).match(mark)?.length ?? 0;
  };
  for (const { start, end } of root === undefined ? [] : scalarRanges(root)) {
    look(start);
    at = Math.max(at, end);
  }
  look(text.length);
  return count;
}
