import type { CodeAnswer } from '../../expressions/port/evaluator.ts';
import { paired } from '../../items/given-step.ts';
import type { Item, Outputs } from '../../items/item.ts';
import { contextOf, type Handler, type HandlerCall, itemsOf, StepFailure } from '../handler.ts';
import { type ItemOutcome, outputsOf } from './on-error.ts';
import { itemOfOne, itemsOfList, WrongReturn } from './returned-items.ts';

const LISTS = /\$input\s*\.\s*(first|last|all|itemMatching)\b/;

/** A message with the author's line behind it, as the source tells it. */
function told({ message, line }: Extract<CodeAnswer, { kind: 'threw' }>): string {
  return line === null ? message : `${message} [line ${line}]`;
}

function failedWhole({ node }: HandlerCall, message: string): Outputs {
  if (node.onError === 'stop') throw new StepFailure(message);
  const json = { error: message };
  return node.onError === 'error_output'
    ? [[], [{ json, pairedItem: null }]]
    : [[{ json, pairedItem: { item: 0 } }]];
}

async function runOnce(call: HandlerCall, items: readonly Item[], source: string) {
  const { evaluator, services } = call;
  const code = { source, mode: 'all', goesOn: false } as const;
  const { answers } = await evaluator.runCode(contextOf(call, items), code, services);
  const [answer] = answers;
  if (answer === undefined) throw new WrongReturn('Unknown error');
  if (answer.kind === 'threw') return failedWhole(call, told(answer));
  const given = paired(itemsOfList(answer), items.length);
  return call.node.onError === 'error_output' ? [given, []] : [given];
}

/** In this mode the source refuses code that names the whole list, before it runs. */
function refuseLists(source: string): void {
  const [, method] = LISTS.exec(source) ?? [];
  if (method === undefined) return;
  const line = source.slice(0, source.search(LISTS)).split('\n').length;
  throw new WrongReturn(`Can't use .${method}() here [line ${line}, for item 0]`);
}

async function runForEach(call: HandlerCall, items: readonly Item[], source: string) {
  refuseLists(source);
  const { evaluator, node, services } = call;
  const code = { source, mode: 'each', goesOn: node.onError !== 'stop' } as const;
  const { answers } = await evaluator.runCode(contextOf(call, items), code, services);
  const outcomes = answers.map((answer, at): ItemOutcome => {
    if (answer.kind === 'threw') return { failed: told(answer) };
    const item = itemOfOne(answer, at, node.version >= 2);
    return item === undefined ? [] : [item];
  });
  return outputsOf(items, outcomes, node.onError);
}

/** Code in JavaScript: once with all items, or once for each. */
export const handleCode: Handler = async (call) => {
  const { parameters } = call.node;
  if (String(parameters['language'] ?? 'javaScript') !== 'javaScript')
    throw new StepFailure('Only JavaScript runs here: this code is in Python');
  const items = itemsOf(call);
  const source = String(parameters['jsCode'] ?? '');
  const run = parameters['mode'] === 'runOnceForEachItem' ? runForEach : runOnce;
  try {
    if (source.trim() === '') throw new WrongReturn('Unknown error');
    return await run(call, items, source);
  } catch (error) {
    throw error instanceof WrongReturn ? new StepFailure(error.message) : error;
  }
};
