type Leaf<T> = Readonly<Record<string, T>>;
type Branch<T> = Readonly<Record<string, Leaf<T>>>;

/**
 * A map from whole numbers to values, as plain JSON: three levels of small records, so that setting or
 * removing one entry copies some dozen members however many there are. Values come out by number.
 */
export type SeqMap<T> = Readonly<Record<string, Branch<T>>>;

const BITS = 5;
const MASK = 31;

interface Place {
  readonly top: number;
  readonly middle: number;
  readonly low: number;
}

function placeOf(key: number): Place {
  return { top: key >> (2 * BITS), middle: (key >> BITS) & MASK, low: key & MASK };
}

export function getSeq<T>(map: SeqMap<T>, key: number): T | undefined {
  const { top, middle, low } = placeOf(key);
  return map[top]?.[middle]?.[low];
}

/** The map with one entry set; the map that came in stays as it is. */
export function setSeq<T>(map: SeqMap<T>, key: number, value: T): SeqMap<T> {
  const { top, middle, low } = placeOf(key);
  const branch = map[top];
  return { ...map, [top]: { ...branch, [middle]: { ...branch?.[middle], [low]: value } } };
}

/** The record without a member; undefined when it was the only one. */
function without<T>(
  record: Readonly<Record<string, T>>,
  key: number,
): Record<string, T> | undefined {
  const copy = { ...record };
  delete copy[key];
  for (const _ in copy) return copy;
  return undefined;
}

/** The map without one entry; empty records do not stay behind. */
export function deleteSeq<T>(map: SeqMap<T>, key: number): SeqMap<T> {
  const { top, middle, low } = placeOf(key);
  const branch = map[top];
  const leaf = branch?.[middle];
  if (branch === undefined || leaf === undefined || !Object.hasOwn(leaf, low)) return map;
  const smaller = without(leaf, low);
  if (smaller !== undefined) return { ...map, [top]: { ...branch, [middle]: smaller } };
  const rest = without(branch, middle);
  if (rest !== undefined) return { ...map, [top]: rest };
  return without(map, top) ?? {};
}

/** All values in the order of their numbers. */
export function* seqValues<T>(map: SeqMap<T>): Generator<T> {
  for (const branch of Object.values(map)) {
    for (const leaf of Object.values(branch)) yield* Object.values(leaf);
  }
}

/** How many entries have a smaller number. */
export function countBelow(map: SeqMap<unknown>, key: number): number {
  const { top, middle, low } = placeOf(key);
  let count = 0;
  for (const [high, branch] of Object.entries(map)) {
    if (Number(high) > top) break;
    const whole = Number(high) < top;
    for (const [mid, leaf] of Object.entries(branch)) {
      if (whole || Number(mid) < middle) count += Object.keys(leaf).length;
      else if (Number(mid) === middle) count += lowerThan(leaf, low);
    }
  }
  return count;
}

function lowerThan(leaf: Leaf<unknown>, low: number): number {
  return Object.keys(leaf).filter((key) => Number(key) < low).length;
}
