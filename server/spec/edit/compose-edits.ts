import type { TextEdit } from './text-edit.ts';

/** A part of the text that stays, or text that is put there. */
interface Piece {
  readonly text: string;
  /** Its place in the first text; null for text that is new. */
  readonly start: number | null;
}

function cut({ text, start }: Piece, from: number, to: number): Piece {
  return { text: text.slice(from, to), start: start === null ? null : start + from };
}

function between(pieces: readonly Piece[], from: number, to: number): Piece[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const first = Math.max(0, from - at);
    const last = Math.min(piece.text.length, to - at);
    at += piece.text.length;
    return first < last ? [cut(piece, first, last)] : [];
  });
}

/** The pieces with the part between two offsets replaced. */
function replaced(pieces: readonly Piece[], { start, end, text }: TextEdit): Piece[] {
  return [
    ...between(pieces, 0, start),
    ...(text === '' ? [] : [{ text, start: null }]),
    ...between(pieces, end, Number.POSITIVE_INFINITY),
  ];
}

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

/** Leaves out of an edit what it writes as it was. */
function trimmed(text: string, { start, end, text: written }: TextEdit): TextEdit {
  const old = text.slice(start, end);
  const head = sharedStart(old, written);
  let tail = 0;
  const most = Math.min(old.length, written.length) - head;
  while (tail < most && old.at(-1 - tail) === written.at(-1 - tail)) tail += 1;
  return {
    start: start + head,
    end: end - tail,
    text: written.slice(head, written.length - tail),
  };
}

/** The edits of one text that do what several lists do one after another, each on the text before it. */
export function composeEdits(text: string, steps: readonly (readonly TextEdit[])[]): TextEdit[] {
  let pieces: Piece[] = [{ text, start: 0 }];
  for (const edits of steps) {
    for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end).reverse()) {
      pieces = replaced(pieces, edit);
    }
  }
  const made: TextEdit[] = [];
  let at = 0;
  let written = '';
  const flush = (end: number): void => {
    const edit = trimmed(text, { start: at, end, text: written });
    if (edit.start < edit.end || edit.text !== '') made.push(edit);
    written = '';
  };
  for (const { start, text: part } of pieces) {
    if (start === null) {
      written += part;
      continue;
    }
    flush(start);
    at = start + part.length;
  }
  flush(text.length);
  return made;
}
