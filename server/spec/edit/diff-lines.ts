import { diffIndices } from 'node-diff3';

/** A line of a difference; numbers count from 1 and are null on the side that has no such line. */
export interface DiffRow {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Changed lines with the lines around them. */
export interface DiffHunk {
  readonly rows: readonly DiffRow[];
}

const AROUND = 3;

/** Lines that both texts begin with, and those that both end with, are never compared. */
function sharedEnds(
  left: readonly string[],
  right: readonly string[],
): { head: number; tail: number } {
  const most = Math.min(left.length, right.length);
  let head = 0;
  while (head < most && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < most - head && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  return { head, tail };
}

interface Change {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

function changesOf(left: readonly string[], right: readonly string[]): readonly Change[] {
  const { head, tail } = sharedEnds(left, right);
  const inner = diffIndices(
    left.slice(head, left.length - tail),
    right.slice(head, right.length - tail),
  );
  return inner.map(({ buffer1, buffer2 }) => ({
    left: [buffer1[0] + head, buffer1[1]],
    right: [buffer2[0] + head, buffer2[1]],
  }));
}

/** The lines that differ between two texts, each with three lines around it. */
export function diffHunks(before: string, after: string): readonly DiffHunk[] {
  const left = before.split('\n');
  const right = after.split('\n');
  const hunks: DiffRow[][] = [];
  let lastEnd = Number.NEGATIVE_INFINITY;
  const same = (from: number, to: number, shift: number): DiffRow[] =>
    left.slice(from, to).map((text, index) => {
      const before = from + index + 1;
      return { sign: ' ', text, before, after: before + shift };
    });
  let rows: DiffRow[] = [];
  const changes = changesOf(left, right);
  for (const [at, { left: own, right: other }] of changes.entries()) {
    const shift = other[0] - own[0];
    const from = Math.max(0, own[0] - AROUND, lastEnd);
    if (own[0] - AROUND > lastEnd) {
      rows = [];
      hunks.push(rows);
    }
    rows.push(...same(from, own[0], shift));
    const end = own[0] + own[1];
    for (const [index, text] of left.slice(own[0], end).entries()) {
      rows.push({ sign: '-', text, before: own[0] + index + 1, after: null });
    }
    for (const [index, text] of right.slice(other[0], other[0] + other[1]).entries()) {
      rows.push({ sign: '+', text, before: null, after: other[0] + index + 1 });
    }
    const stop = Math.min(left.length, end + AROUND, changes[at + 1]?.left[0] ?? left.length);
    const behind = other[0] + other[1] - end;
    rows.push(...same(end, stop, behind));
    lastEnd = stop;
  }
  return hunks.map((rows) => ({ rows }));
}

function sideOf(rows: readonly DiffRow[], side: 'before' | 'after'): string {
  const numbers = rows.flatMap((row) => row[side] ?? []);
  return `${numbers[0] ?? 0},${numbers.length}`;
}

/** The difference of two texts as a patch; empty for equal ones. */
export function patchText(name: string, before: string, after: string): string {
  const hunks = diffHunks(before, after).map(({ rows }) => {
    const lines = rows.map(({ sign, text }) => `${sign}${text}`);
    return [`@@ -${sideOf(rows, 'before')} +${sideOf(rows, 'after')} @@`, ...lines].join('\n');
  });
  return hunks.length === 0 ? '' : [`--- ${name}`, `+++ ${name}`, ...hunks].join('\n');
}
