import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { contextOf, StepFailure } from '../handler.ts';
import { type DifyHandler, gives } from './dify-call.ts';
import { objectsOf } from './values.ts';

const CALL = '\n;return await main(items[0].json);';

/** Only the outputs that the step declares are given; each must be there. */
function declared(result: JsonObject, outputs: JsonObject): JsonObject {
  const names = Object.keys(outputs);
  for (const name of names) {
    if (!Object.hasOwn(result, name)) throw new StepFailure(`Output ${name} is missing.`);
  }
  return Object.fromEntries(names.map((name) => [name, result[name]]));
}

/** Code: its function `main` gets the step's variables, and gives its outputs. JavaScript only. */
export const handleCode: DifyHandler = async (call) => {
  const { data, pool, evaluator, node } = call;
  if (data['code_language'] !== 'javascript')
    throw new StepFailure('Only JavaScript runs here: this code is in another language.');
  const values = objectsOf(data['variables']).map(({ variable, value_selector }) => [
    String(variable ?? ''),
    pool.at(value_selector) ?? null,
  ]);
  const items = [{ json: Object.fromEntries(values) }];
  const code = { source: String(data['code'] ?? '') + CALL, mode: 'all', goesOn: false } as const;
  const { answers } = await evaluator.runCode(contextOf(call, items), code);
  const [answer] = answers;
  if (answer?.kind !== 'value') throw new StepFailure(answer?.message ?? 'The code gave nothing');
  const { value } = answer;
  if (!isObject(value)) throw new StepFailure(`'${node.name}': main must return an object.`);
  return gives(isObject(data['outputs']) ? declared(value, data['outputs']) : value);
};
