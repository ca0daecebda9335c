import type { SourceEntry, SourceList, SourceMapping, SourceNode } from './source-map.ts';

/** The offset of the line that holds an offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset after the line that an extent ends on; an end at a line start is its own. */
export function lineAfter(text: string, end: number): number {
  if (end > 0 && text[end - 1] === '\n') return end;
  const at = text.indexOf('\n', end);
  return at < 0 ? text.length : at + 1;
}

/** The offset of the line break that ends the line of an offset, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' && at > offset ? at - 1 : at;
}

/** The column of an offset, from 0. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** True when only blanks stand before an offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/** The offset of what follows blanks, line breaks and comments. */
export function skipTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const char = text[at];
    if (char === '#') {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (char === ' ' || char === '\t' || char === '\r' || char === '\n') at += 1;
    else return at;
  }
}

/** Where the content of a node ends: after its last character, or at a line start after a block scalar. */
export function contentEnd(node: SourceNode): number {
  if (node.kind === 'list' && !node.flow) {
    const last = node.items.at(-1);
    return last === undefined ? node.end : Math.max(contentEnd(last), node.start + 1);
  }
  if (node.kind === 'map' && !node.flow) {
    const ends = node.entries.map((entry) => Math.max(entry.keyEnd, contentEnd(entry.value)));
    return [...ends, ...node.merged.map(contentEnd)].reduce((last, end) => Math.max(last, end));
  }
  return node.end;
}

/** The offset after the colon of an entry. */
export function afterColon(text: string, entry: SourceEntry): number {
  const at = skipTrivia(text, entry.keyEnd);
  return text[at] === ':' ? at + 1 : entry.keyEnd;
}

/** Offsets of all dashes of a block list. */
export function dashesOf(text: string, list: SourceList): number[] {
  const dashes: number[] = [];
  for (const [index] of list.items.entries()) {
    const before = list.items[index - 1];
    const last = dashes[index - 1] ?? 0;
    dashes.push(
      before === undefined ? list.start : skipTrivia(text, Math.max(contentEnd(before), last + 1)),
    );
  }
  return dashes;
}

/** The column of the entries of a block mapping. */
export function entryColumn(text: string, map: SourceMapping): number | undefined {
  const [first] = map.entries;
  return first === undefined ? undefined : columnOf(text, first.keyStart);
}

/** The line break of a text. */
export function eolOf(text: string): string {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}
