import type { Item } from '../../../items/item.ts';
import { combined, readClash } from './clash.ts';
import { checkCount } from './find-matches.ts';
import { emptyItem, type MergeStep, partAt, twoInputs } from './merge-inputs.ts';

/** All items, the first input before the second. */
export function appendInputs({ inputs }: MergeStep): Item[] {
  return inputs.flat();
}

/** The items at the same place of all inputs become one. */
export function combineByPosition(step: MergeStep): Item[] {
  const { inputs, settings, version } = step;
  const lengths = inputs.map(({ length }) => length);
  const isFilled = settings.isOn('options.includeUnpaired');
  // Before version 3 an input without items leaves the other one as it is.
  if (!isFilled && version < 3 && lengths.includes(0)) return appendInputs(step);
  const count = isFilled ? Math.max(...lengths) : Math.min(...lengths);
  const clash = readClash(settings);
  return Array.from({ length: count }, (_, at) =>
    combined(
      inputs.flatMap((_input, input) => partAt(step, input, at)),
      clash,
    ),
  );
}

/** Each item of the first input with each of the second. @throws StepFailure when they are too many */
export function combineEach(step: MergeStep): Item[] {
  const [ones, others] = twoInputs(step);
  checkCount(ones.length * others.length);
  const clash = readClash(step.settings);
  return ones.flatMap((item, at) =>
    others.map((other, otherAt) =>
      combined(
        [
          { item, at, input: 0 },
          { item: other, at: otherAt, input: 1 },
        ],
        clash,
      ),
    ),
  );
}

/** The number of the input whose items pass; null where one empty item does. */
function chosenInput({ settings, version }: MergeStep): number | null {
  if (version >= 3)
    return settings.value('output', 'specifiedInput') === 'empty'
      ? null
      : Number(settings.value('useDataOfInput', 1)) - 1;
  const output = settings.value('output', 'input1');
  if (output === 'empty') return null;
  return output === 'input2' ? 1 : 0;
}

/** The items of one input, when all have come. */
export function chooseBranch(step: MergeStep): Item[] {
  const input = chosenInput(step);
  return input === null ? [emptyItem(step)] : [...(step.inputs[input] ?? [])];
}
