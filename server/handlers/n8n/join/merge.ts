import type { Item } from '../../../items/item.ts';
import { type Handler, type HandlerCall, StepFailure } from '../../handler.ts';
import { type Settings, settingsOfFirst } from '../step-settings.ts';
import { combineByFields } from './merge-fields.ts';
import type { MergeStep } from './merge-inputs.ts';
import { appendInputs, chooseBranch, combineByPosition, combineEach } from './merge-modes.ts';
import { mergeAsInVersion1 } from './merge-old.ts';
import { combineBySql } from './merge-sql.ts';

/** How the inputs are combined, by the names of version 3 and of version 2. */
const COMBINE: Readonly<Record<string, (step: MergeStep) => Item[]>> = {
  combineAll: combineEach,
  combineByFields,
  combineByPosition,
  mergeByFields: combineByFields,
  mergeByPosition: combineByPosition,
  multiplex: combineEach,
};

function combine(step: MergeStep): Item[] {
  const [name, preset] =
    step.version < 3
      ? (['combinationMode', 'mergeByFields'] as const)
      : (['combineBy', 'combineByFields'] as const);
  const how = step.settings.text(name, preset);
  const combineAs = COMBINE[how];
  if (combineAs === undefined) throw new StepFailure(`Merge cannot combine by '${how}'`);
  return combineAs(step);
}

function merge(step: MergeStep): Item[] {
  if (step.version < 2) return mergeAsInVersion1(step);
  const mode = step.settings.text('mode', 'append');
  switch (mode) {
    case 'append':
      return appendInputs(step);
    case 'combine':
      return combine(step);
    case 'chooseBranch':
      return chooseBranch(step);
    default:
      throw new StepFailure(`Merge has no mode '${mode}'`);
  }
}

/** Items by input, as many as the settings have; an input that got nothing is an empty one. */
function inputsOf({ node, inputs }: HandlerCall, settings: Settings): readonly (readonly Item[])[] {
  const count = node.version < 3 ? 2 : Math.max(2, Number(settings.value('numberInputs', 2)) || 2);
  return Array.from({ length: count }, (_, at) => {
    const items = inputs[at] ?? [];
    return node.executeOnce ? items.slice(0, 1) : items;
  });
}

/** Merge, all versions. */
export const handleMerge: Handler = async (call) => {
  const first = call.inputs.find((items) => items !== null && items.length > 0) ?? [];
  const settings = await settingsOfFirst(call, first);
  const { version } = call.node;
  const step = { inputs: inputsOf(call, settings), settings, version };
  if (version >= 3 && settings.text('mode') === 'combineBySql')
    return [await combineBySql(call, step)];
  return [merge(step)];
};
