import type { Item } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';
import { fieldOf } from '../field-path.ts';
import type { Settings } from '../step-settings.ts';
import { areEqual, type Equality, exactKey, roughKey } from './loose-equality.ts';

/** More items than this no step may make out of two lists. */
const MOST_ITEMS = 500_000;

/** Fields of the two inputs that must hold the same. */
export interface FieldPair {
  readonly field1: string;
  readonly field2: string;
}

/** How items are matched. */
export interface Matching {
  readonly pairs: readonly FieldPair[];
  readonly equality: Equality;
  readonly dotted: boolean;
  readonly firstOnly: boolean;
}

/** Items of two inputs by their places. */
export interface Matches {
  /** For each item of the first input that has matches, those of the second. */
  readonly matched: readonly { readonly one: number; readonly others: readonly number[] }[];
  readonly unmatched1: readonly number[];
  readonly matched2: ReadonlySet<number>;
}

interface Group {
  readonly values: readonly unknown[];
  readonly places: number[];
}

/** @throws StepFailure when a pair is not there or half of it is missing */
export function checkedPairs(pairs: readonly FieldPair[]): readonly FieldPair[] {
  const isNothing = pairs.length === 1 && pairs[0]?.field1 === '' && pairs[0].field2 === '';
  if (pairs.length === 0 || isNothing)
    throw new StepFailure(
      'You need to define at least one pair of fields in "Fields to Match" to match on',
    );
  const half = pairs.findIndex(({ field1, field2 }) => field1 === '' || field2 === '');
  if (half >= 0)
    throw new StepFailure(
      `You need to define both fields in "Fields to Match" for pair ${half + 1}`,
    );
  return pairs;
}

/** The pairs of a list in the settings. */
export function pairsIn(settings: Settings): FieldPair[] {
  return settings.list('mergeByFields.values').map(({ field1, field2 }) => ({
    field1: String(field1 ?? ''),
    field2: String(field2 ?? ''),
  }));
}

/** The first version that does not ask whether the fields are there. */
const LENIENT = 2.1;

/** Older versions refuse pairs of fields that no item of an input has. @throws StepFailure */
export function checkPairsThere(
  version: number,
  pairs: readonly FieldPair[],
  inputs: readonly (readonly [items: readonly Item[], name: string])[],
  dotted: boolean,
): void {
  if (version >= LENIENT) return;
  for (const [at, field] of (['field1', 'field2'] as const).entries()) {
    const [items = [], name = ''] = inputs[at] ?? [];
    checkFieldsThere(
      items,
      pairs.map((pair) => pair[field]),
      dotted,
      name,
    );
  }
}

function checkFieldsThere(
  items: readonly Item[],
  names: readonly string[],
  dotted: boolean,
  input: string,
): void {
  const missing = names.find((name) =>
    items.every(({ json }) => fieldOf(json, name, dotted) === undefined),
  );
  if (items.length > 0 && missing !== undefined)
    throw new StepFailure(`Field '${missing}' is not present in any of items in '${input}'`);
}

/** @throws StepFailure when a step would make too many items */
export function checkCount(count: number): void {
  if (count > MOST_ITEMS)
    throw new StepFailure(
      `The join would give ${count} items; a step may give ${MOST_ITEMS}. Match on more fields, or keep the first match only.`,
    );
}

function joinedKeys(values: readonly unknown[], key: (value: unknown) => string): string {
  return values.length === 1 ? key(values[0]) : JSON.stringify(values.map(key));
}

/** Items whose values may be the same stand together, those with equal values in one group. */
class MatchIndex {
  readonly #matching: Matching;
  readonly #groups = new Map<string, Map<string, Group>>();
  readonly #found = new Map<string, readonly number[]>();

  constructor(matching: Matching) {
    this.#matching = matching;
  }

  #rough(values: readonly unknown[]): string {
    return joinedKeys(values, (value) => roughKey(value, this.#matching.equality));
  }

  add(values: readonly unknown[], place: number): void {
    const rough = this.#rough(values);
    const groups = this.#groups.get(rough) ?? new Map<string, Group>();
    this.#groups.set(rough, groups);
    const exact = joinedKeys(values, exactKey);
    const group = groups.get(exact);
    if (group === undefined) groups.set(exact, { values, places: [place] });
    else group.places.push(place);
  }

  /** The places that match, in their order. */
  find(values: readonly unknown[]): readonly number[] {
    const exact = joinedKeys(values, exactKey);
    const known = this.#found.get(exact);
    if (known !== undefined) return known;
    const { equality, firstOnly } = this.#matching;
    const fitting = [...(this.#groups.get(this.#rough(values))?.values() ?? [])]
      .filter((group) => group.values.every((value, at) => areEqual(values[at], value, equality)))
      .map(({ places }) => (firstOnly ? places.slice(0, 1) : places));
    const [only = [], ...more] = fitting;
    const all = more.length === 0 ? only : fitting.flat().sort((one, other) => one - other);
    const found = firstOnly ? all.slice(0, 1) : all;
    this.#found.set(exact, found);
    return found;
  }
}

/** Which items of two inputs match; an item without a field that is compared matches none. */
export function findMatches(
  ones: readonly Item[],
  others: readonly Item[],
  matching: Matching,
): Matches {
  const { pairs, dotted } = matching;
  const index = new MatchIndex(matching);
  others.forEach(({ json }, place) => {
    index.add(
      pairs.map(({ field2 }) => fieldOf(json, field2, dotted)),
      place,
    );
  });
  const matched: { one: number; others: readonly number[] }[] = [];
  const unmatched1: number[] = [];
  const matched2 = new Set<number>();
  ones.forEach(({ json }, one) => {
    const values = pairs.map(({ field1 }) => fieldOf(json, field1, dotted));
    const found = values.includes(undefined) ? [] : index.find(values);
    if (found.length === 0) unmatched1.push(one);
    else matched.push({ one, others: found });
  });
  for (const list of new Set(matched.map(({ others: found }) => found)))
    for (const place of list) matched2.add(place);
  return { matched, unmatched1, matched2 };
}
