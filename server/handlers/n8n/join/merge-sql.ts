import type { Item } from '../../../items/item.ts';
import { isObject } from '../../../kernel/json.ts';
import { contextOf, type HandlerCall, StepFailure } from '../../handler.ts';
import { pairingOf } from '../pairings.ts';
import type { MergeStep } from './merge-inputs.ts';

type Part = { readonly item: number; readonly input: number };

function isPart(value: unknown): value is Part {
  return isObject(value) && Number.isInteger(value['item']) && Number.isInteger(value['input']);
}

function itemOf(row: unknown, parts: unknown): Item {
  if (!isObject(row)) throw new StepFailure('The query gives values that are no rows');
  if (!Array.isArray(parts)) return { json: row, pairedItem: null };
  const made = parts.filter(isPart);
  return { json: row, pairedItem: made.map(({ item, input }) => pairingOf(item, input)) };
}

/**
 * The rows of a query over the inputs, which are its tables `input1`, `input2` and so on. It runs
 * confined. @throws StepFailure when the query cannot be run or gives no rows
 */
export async function combineBySql(call: HandlerCall, step: MergeStep): Promise<Item[]> {
  const tables = step.inputs.map((items): Item => {
    return { json: { rows: items.map(({ json }) => json) } };
  });
  const source = step.settings.text('query');
  const code = { source, mode: 'sql', goesOn: false } as const;
  const { answers } = await call.evaluator.runCode(contextOf(call, tables), code);
  const [answer] = answers;
  if (answer?.kind !== 'value')
    throw new StepFailure(`Issue while executing query: ${answer?.message ?? 'no answer'}`);
  const given = isObject(answer.value) ? answer.value : {};
  const { rows, parts } = given;
  if (!Array.isArray(rows)) throw new StepFailure('The query gives no rows');
  return rows.map((row, at) => itemOf(row, Array.isArray(parts) ? parts[at] : null));
}
