import { paired } from '../../items/given-step.ts';
import type { Item } from '../../items/item.ts';
import { contextOf, type Handler, itemsOf, StepFailure } from '../handler.ts';
import { type ItemOutcome, outputsOf } from './on-error.ts';
import { isObject, itemsOfList, WrongReturn } from './returned-items.ts';

/** The old Function: once with all items. */
export const handleFunction: Handler = async (call) => {
  const { evaluator, node, services } = call;
  const items = itemsOf(call);
  const code = { source: String(node.parameters['functionCode'] ?? ''), mode: 'all' } as const;
  const context = contextOf(call, items);
  const { answers } = await evaluator.runCode(context, { ...code, goesOn: false }, services);
  const [answer] = answers;
  const fail = (failed: string) => outputsOf(items, [{ failed }], node.onError);
  if (answer === undefined) throw new StepFailure('Unknown error');
  if (answer.kind === 'threw') return fail(answer.message);
  if (answer.type === 'undefined')
    return fail("Cannot read properties of undefined (reading 'every')");
  try {
    return outputsOf(items, [paired(itemsOfList(answer), items.length)], node.onError);
  } catch (error) {
    if (error instanceof WrongReturn) return fail(error.message);
    throw error;
  }
};

/** The old Function Item: once for each item, which is its json alone. */
export const handleFunctionItem: Handler = async (call) => {
  const { evaluator, node, services } = call;
  const items = itemsOf(call);
  const source = String(node.parameters['functionCode'] ?? '');
  const code = { source, mode: 'fields_of_each', goesOn: node.onError !== 'stop' } as const;
  const { answers } = await evaluator.runCode(contextOf(call, items), code, services);
  const outcomes = answers.map((answer, at): ItemOutcome => {
    if (answer.kind === 'threw') return { failed: answer.message };
    if (!isObject(answer.value))
      return { failed: 'The returned data must be an object: the fields of the item' };
    const binary = items[at]?.binary;
    const item: Item = { json: answer.value, pairedItem: { item: at } };
    return [binary === undefined ? item : { ...item, binary }];
  });
  return outputsOf(items, outcomes, node.onError);
};
