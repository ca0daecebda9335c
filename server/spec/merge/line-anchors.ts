/** Where each line stands that a text has once. */
function singles(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (found.has(line)) repeated.add(line);
    else found.set(line, index);
  }
  for (const line of repeated) found.delete(line);
  return found;
}

/** A row, and the run of rows that it continues. */
interface Run {
  readonly row: number[];
  readonly before: Run | undefined;
}

/** The longest run of rows whose numbers at `side` only grow; the rows keep their order. */
function growing(rows: readonly number[][], side: number): number[][] {
  const at = (row: number[] | undefined): number => row?.[side] ?? -1;
  /** The run of each length that ends earliest. */
  const tails: Run[] = [];
  for (const row of rows) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(tails[middle]?.row) < at(row)) low = middle + 1;
      else high = middle;
    }
    tails[low] = { row, before: tails[low - 1] };
  }
  const made: number[][] = [];
  for (let run = tails.at(-1); run !== undefined; run = run.before) made.push(run.row);
  return made.reverse();
}

/**
 * Texts cut at the lines that each has once and all have in one order, so that what is compared is
 * small: the time of comparing grows with the square of what repeats. Each part has a piece of each
 * text; a line where they were cut is a part of its own.
 */
export function cutAtAnchors(texts: readonly (readonly string[])[]): string[][][] {
  const [first = new Map<string, number>(), ...others] = texts.map(singles);
  let rows: number[][] = [];
  for (const [line, index] of first) {
    const places = others.map((known) => known.get(line) ?? -1);
    if (!places.includes(-1)) rows.push([index, ...places]);
  }
  for (let side = 1; side < texts.length; side += 1) rows = growing(rows, side);
  const parts: string[][][] = [];
  let from = texts.map(() => 0);
  const cut = (to: readonly number[]): void => {
    const pieces = texts.map((lines, side) => lines.slice(from[side], to[side]));
    if (pieces.some((piece) => piece.length > 0)) parts.push(pieces);
  };
  for (const row of rows) {
    cut(row);
    from = row.map((place) => place + 1);
    parts.push(texts.map((lines, side) => lines.slice(row[side], from[side])));
  }
  cut(texts.map(({ length }) => length));
  return parts;
}
