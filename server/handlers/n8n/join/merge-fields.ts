import type { Item } from '../../../items/item.ts';
import { type Clash, combined, preferring, readClash, suffixed } from './clash.ts';
import {
  checkCount,
  checkedPairs,
  checkPairsThere,
  type FieldPair,
  findMatches,
  type Matches,
  pairsIn,
} from './find-matches.ts';
import { type MergeStep, partAt, twoInputs } from './merge-inputs.ts';

function pairsOf({ settings, version }: MergeStep): readonly FieldPair[] {
  if (version < 3 || settings.isOn('advanced')) return checkedPairs(pairsIn(settings));
  return checkedPairs(
    settings.names('fieldsToMatchString').map((name) => ({ field1: name, field2: name })),
  );
}

/** With an input that has no items nothing can match: what goes on then. */
function withoutMatches(step: MergeStep, joinMode: unknown, outputFrom: unknown): Item[] {
  const [ones, others] = twoInputs(step);
  const all = [...ones, ...others];
  switch (joinMode) {
    case 'keepMatches':
      return [];
    case 'enrichInput1':
      return ones.length === 0 ? [] : all;
    case 'enrichInput2':
      return others.length === 0 ? [] : all;
    case 'keepNonMatches':
      if (outputFrom === 'input1') return [...ones];
      return outputFrom === 'input2' ? [...others] : all;
    default:
      return all;
  }
}

class FieldJoin {
  readonly #step: MergeStep;
  readonly #matches: Matches;
  readonly #clash: Clash;

  constructor(step: MergeStep, matches: Matches, clash: Clash) {
    this.#step = step;
    this.#matches = matches;
    this.#clash = clash;
  }

  /** Each item of the first input with each that matches it. */
  combined(): Item[] {
    const { matched } = this.#matches;
    checkCount(matched.reduce((count, { others }) => count + others.length, 0));
    return matched.flatMap(({ one, others }) =>
      others.map((other) =>
        combined([...partAt(this.#step, 0, one), ...partAt(this.#step, 1, other)], this.#clash),
      ),
    );
  }

  matched1(): Item[] {
    return this.#matches.matched.flatMap(({ one }) => this.#step.inputs[0]?.[one] ?? []);
  }

  matched2(): Item[] {
    return [...this.#matches.matched2]
      .sort((one, other) => one - other)
      .flatMap((at) => this.#step.inputs[1]?.[at] ?? []);
  }

  /** Items of an input that matched none, with the names of their fields as the others have them. */
  unmatched(input: 0 | 1): Item[] {
    const items = this.#plainUnmatched(input);
    if (this.#clash.wins !== 'suffix') return items;
    return items.map((item) => ({ ...item, json: suffixed({ item, at: 0, input }) }));
  }

  #plainUnmatched(input: 0 | 1): Item[] {
    const items = this.#step.inputs[input] ?? [];
    const { unmatched1, matched2 } = this.#matches;
    if (input === 0) return unmatched1.flatMap((at) => items[at] ?? []);
    return items.filter((_, at) => !matched2.has(at));
  }

  /** The same, each with the input that it is of. */
  nonMatches(from: unknown): Item[] {
    if (from === 'input1') return this.#plainUnmatched(0);
    if (from === 'input2') return this.#plainUnmatched(1);
    return ([0, 1] as const).flatMap((input) =>
      this.#plainUnmatched(input).map((item) => ({
        ...item,
        json: { ...item.json, _source: `input${input + 1}` },
      })),
    );
  }

  matches(from: unknown): Item[] {
    if (from === 'input1') return this.matched1();
    return from === 'input2' ? this.matched2() : this.combined();
  }
}

/** Items of two inputs that hold the same in some fields become one. @throws StepFailure */
export function combineByFields(step: MergeStep): Item[] {
  const { settings, version } = step;
  const pairs = pairsOf(step);
  const joinMode = settings.value('joinMode', 'keepMatches');
  const outputFrom = settings.value('outputDataFrom', 'both');
  const [ones, others] = twoInputs(step);
  const inputs = [
    [ones, 'Input 1'],
    [others, 'Input 2'],
  ] as const;
  checkPairsThere(version, pairs, inputs, settings.dotted);
  if (ones.length === 0 || others.length === 0) return withoutMatches(step, joinMode, outputFrom);
  const matches = findMatches(ones, others, {
    pairs,
    equality: settings.isOn('options.fuzzyCompare') ? 'loose' : 'exact',
    dotted: settings.dotted,
    firstOnly: settings.value('options.multipleMatches', 'all') === 'first',
  });
  const clash = readClash(settings);
  const join = new FieldJoin(
    step,
    matches,
    joinMode === 'enrichInput2' ? preferring(clash, 0) : clash,
  );
  switch (joinMode) {
    case 'keepNonMatches':
      return join.nonMatches(outputFrom);
    case 'keepEverything':
      return [...join.combined(), ...join.unmatched(0), ...join.unmatched(1)];
    case 'enrichInput1':
      return [...join.combined(), ...join.unmatched(0)];
    case 'enrichInput2':
      return [...join.combined(), ...join.unmatched(1)];
    default:
      return join.matches(outputFrom);
  }
}
