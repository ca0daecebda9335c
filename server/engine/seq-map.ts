type Leaf<T> = Readonly<Record<string, T>>;
type Twig<T> = Readonly<Record<string, Leaf<T>>>;
type Branch<T> = Readonly<Record<string, Twig<T>>>;

/**
 * A map from whole numbers to values, as plain JSON: four levels of small records, so that setting or
 * removing one entry copies some dozen members however many there are. Values come out by number.
 */
export type SeqMap<T> = Readonly<Record<string, Branch<T>>>;

const BITS = 4;
const MASK = 15;

interface Place {
  readonly top: number;
  readonly high: number;
  readonly middle: number;
  readonly low: number;
}

function placeOf(key: number): Place {
  return {
    top: key >> (3 * BITS),
    high: (key >> (2 * BITS)) & MASK,
    middle: (key >> BITS) & MASK,
    low: key & MASK,
  };
}

/** The entry of a number. */
export function getSeq<T>(map: SeqMap<T>, key: number): T | undefined {
  const { top, high, middle, low } = placeOf(key);
  return map[top]?.[high]?.[middle]?.[low];
}

/**
 * No member, but room for the sixteen of a record below the top: what is copied from it takes them
 * without growing. A record that grows takes room by its greatest number, up to 40 members.
 */
const ROOM: Record<string, never> = {};
Object.assign(ROOM, { 0: null });
delete ROOM[0];

/** The record with another member. In two statements: in one expression it takes three times as long. */
function withMember<T>(
  record: Readonly<Record<string, T>> | undefined,
  key: number,
  value: T,
): Readonly<Record<string, T>> {
  const copy: Record<string, T> = { ...(record ?? ROOM) };
  copy[key] = value;
  return copy;
}

/** The map with one entry set; the map that came in stays as it is. */
export function setSeq<T>(map: SeqMap<T>, key: number, value: T): SeqMap<T> {
  const { top, high, middle, low } = placeOf(key);
  const branch = map[top];
  const twig = branch?.[high];
  const leaf = withMember(twig?.[middle], low, value);
  return withMember(map, top, withMember(branch, high, withMember(twig, middle, leaf)));
}

/** Whether a record below the top has a member beside one. */
function hasOther(record: Readonly<Record<string, unknown>>, key: number): boolean {
  for (let at = 0; at <= MASK; at += 1) if (at !== key && record[at] !== undefined) return true;
  return false;
}

/** The record below the top with another member, or without it when there is none any more. */
function replaced<T>(
  record: Readonly<Record<string, T>>,
  key: number,
  value: T | undefined,
): Readonly<Record<string, T>> | undefined {
  if (value !== undefined) return withMember(record, key, value);
  return hasOther(record, key) ? withoutMember(record, key) : undefined;
}

function withoutMember<T>(
  record: Readonly<Record<string, T>>,
  key: number,
): Readonly<Record<string, T>> {
  const copy: Record<string, T> = { ...record };
  delete copy[key];
  return copy;
}

/** The map without one entry; empty records do not stay behind. */
export function deleteSeq<T>(map: SeqMap<T>, key: number): SeqMap<T> {
  const { top, high, middle, low } = placeOf(key);
  const branch = map[top];
  const twig = branch?.[high];
  const leaf = twig?.[middle];
  if (branch === undefined || twig === undefined || leaf === undefined) return map;
  if (leaf[low] === undefined) return map;
  const smaller = replaced(branch, high, replaced(twig, middle, replaced(leaf, low, undefined)));
  return smaller === undefined ? withoutMember(map, top) : withMember(map, top, smaller);
}

/** All values in the order of their numbers. */
export function* seqValues<T>(map: SeqMap<T>): Generator<T> {
  for (const leaf of leavesOf(map)) yield* Object.values(leaf.members);
}

/** All entries in the order of their numbers. */
export function* seqEntries<T>(map: SeqMap<T>): Generator<readonly [number, T]> {
  for (const { first, members } of leavesOf(map)) {
    for (const [low, value] of Object.entries(members)) yield [first + Number(low), value];
  }
}

interface FoundLeaf<T> {
  /** The number of its first place. */
  readonly first: number;
  readonly members: Leaf<T>;
}

function* leavesOf<T>(map: SeqMap<T>): Generator<FoundLeaf<T>> {
  for (const [top, branch] of Object.entries(map)) {
    for (const [high, twig] of Object.entries(branch)) {
      const base = (Number(top) << (2 * BITS)) | (Number(high) << BITS);
      for (const [middle, members] of Object.entries(twig)) {
        yield { first: (base | Number(middle)) << BITS, members };
      }
    }
  }
}

function lastKey(record: Readonly<Record<string, unknown>> | undefined): number {
  return Number(Object.keys(record ?? {}).at(-1));
}

/** Whether all entries have a smaller number. */
export function areBelow(map: SeqMap<unknown>, key: number): boolean {
  const top = lastKey(map);
  const high = lastKey(map[top]);
  const middle = lastKey(map[top]?.[high]);
  const low = lastKey(map[top]?.[high]?.[middle]);
  return !((((((top << BITS) | high) << BITS) | middle) << BITS) + low >= key);
}

/** How many entries have a smaller number. */
export function countBelow(map: SeqMap<unknown>, key: number): number {
  let count = 0;
  for (const { first, members } of leavesOf(map)) {
    if (first >= key) break;
    const lows = Object.keys(members);
    count +=
      first + MASK < key ? lows.length : lows.filter((low) => first + Number(low) < key).length;
  }
  return count;
}
