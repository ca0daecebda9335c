import type { Item, JsonObject } from '../../../items/item.ts';
import type { Handler, HandlerCall } from '../../handler.ts';
import { copyOf, fieldOf, removeField, setField } from '../field-path.ts';
import { pairingOf } from '../pairings.ts';
import { type Settings, settingsOfFirst } from '../step-settings.ts';
import {
  checkCount,
  checkedPairs,
  checkPairsThere,
  type FieldPair,
  findMatches,
  type Matches,
  pairsIn,
} from './find-matches.ts';
import { areEqual, type Equality } from './loose-equality.ts';

/** From this version on zero counts as empty where values are compared loosely. */
const ZERO_IS_EMPTY = 2.3;

interface Comparison {
  readonly pairs: readonly FieldPair[];
  readonly equality: Equality;
  readonly dotted: boolean;
  readonly firstOnly: boolean;
  readonly skipped: readonly string[];
  /** What is told of two items that differ. */
  readonly resolve: string;
  readonly preferred: 'input1' | 'input2';
  /** Fields that are taken of the other input. */
  readonly others: readonly string[];
}

/** Two items that match, with their places. */
interface Match {
  readonly one: Item;
  readonly at: number;
  readonly other: Item;
  readonly otherAt: number;
}

function readComparison({ node }: HandlerCall, settings: Settings): Comparison {
  const isLoose = settings.isOn('fuzzyCompare') || settings.isOn('options.fuzzyCompare');
  const loose = node.version < ZERO_IS_EMPTY ? 'loose' : 'loose_with_zero';
  return {
    pairs: checkedPairs(pairsIn(settings)),
    equality: isLoose ? loose : 'exact',
    dotted: settings.dotted,
    firstOnly: settings.value('options.multipleMatches', 'first') !== 'all',
    skipped: settings.names('options.skipFields'),
    resolve: settings.text('resolve', node.version < 2 ? 'preferInput2' : 'includeBoth'),
    preferred: settings.value('preferWhenMix', 'input1') === 'input2' ? 'input2' : 'input1',
    others: settings.names('exceptWhenMix'),
  };
}

function withoutSkipped({ json }: Item, { skipped, dotted }: Comparison): JsonObject {
  if (skipped.length === 0) return json;
  const kept = copyOf(json);
  for (const name of skipped) removeField(kept, name, dotted);
  return kept;
}

function keysOf(one: JsonObject, other: JsonObject): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

function isSame(one: Item, other: Item, comparison: Comparison): boolean {
  const left = withoutSkipped(one, comparison);
  const right = withoutSkipped(other, comparison);
  return keysOf(left, right).every((key) => areEqual(left[key], right[key], comparison.equality));
}

/** What is the same in both, what differs, and what was left out of the comparison. */
function differences(match: Match, { pairs, dotted, skipped, equality }: Comparison): Item {
  const [left, right] = [match.one.json, match.other.json];
  const both = (key: string): JsonObject => ({
    inputA: left[key] ?? null,
    inputB: right[key] ?? null,
  });
  const all = keysOf(left, right);
  const compared = all.filter((key) => !skipped.includes(key));
  const [same, different] = [true, false].map((wanted) =>
    compared.filter((key) => areEqual(left[key], right[key], equality) === wanted),
  );
  const told = (keys: readonly string[] = []): JsonObject =>
    Object.fromEntries(keys.map((key) => [key, both(key)]));
  return {
    json: {
      keys: Object.fromEntries(pairs.map(({ field1 }) => [field1, fieldOf(left, field1, dotted)])),
      same: Object.fromEntries((same ?? []).map((key) => [key, left[key] ?? right[key] ?? null])),
      different: told(different),
      skipped: told(all.filter((key) => skipped.includes(key))),
    },
    pairedItem: [pairingOf(match.at), pairingOf(match.otherAt, 1)],
  };
}

/** The preferred item, some of its fields as the other one has them. */
function mixed({ one, other }: Match, { preferred, others, dotted }: Comparison): Item {
  const [kept, asked] = preferred === 'input1' ? [one, other] : [other, one];
  const json = copyOf(kept.json);
  for (const name of others)
    setField(json, name, fieldOf(asked.json, name, dotted) ?? null, dotted);
  return { ...kept, json };
}

function resolved(match: Match, comparison: Comparison): Item {
  switch (comparison.resolve) {
    case 'preferInput1':
      return match.one;
    case 'preferInput2':
      return match.other;
    case 'mix':
      return mixed(match, comparison);
    default:
      return differences(match, comparison);
  }
}

function matchesOf(
  matched: Matches['matched'],
  ones: readonly Item[],
  others: readonly Item[],
): Match[] {
  checkCount(matched.reduce((count, { others: places }) => count + places.length, 0));
  return matched.flatMap(({ one: at, others: places }) => {
    const one = ones[at];
    if (one === undefined) return [];
    return places.flatMap((otherAt) => {
      const other = others[otherAt];
      return other === undefined ? [] : { one, at, other, otherAt };
    });
  });
}

/** An item that equals several of the other input is told once, one that differs from each. */
function compared(matches: readonly Match[], comparison: Comparison) {
  const same = new Set<Item>();
  const different: Item[] = [];
  for (const match of matches) {
    if (isSame(match.one, match.other, comparison)) same.add(match.one);
    else different.push(resolved(match, comparison));
  }
  return { same: [...same], different };
}

/** Compare Datasets: only in A, the same, different, only in B. */
export const handleCompareDatasets: Handler = async (call) => {
  const ones = call.inputs[0] ?? [];
  const others = call.inputs[1] ?? [];
  const settings = await settingsOfFirst(call, ones.length > 0 ? ones : others);
  const comparison = readComparison(call, settings);
  const { pairs, dotted } = comparison;
  const inputs = [
    [ones, 'Input A'],
    [others, 'Input B'],
  ] as const;
  checkPairsThere(call.node.version, pairs, inputs, dotted);
  const { matched, unmatched1, matched2 } = findMatches(ones, others, comparison);
  const { same, different } = compared(matchesOf(matched, ones, others), comparison);
  return [
    unmatched1.flatMap((at) => ones[at] ?? []),
    same,
    different,
    others.filter((_, at) => !matched2.has(at)),
  ];
};
