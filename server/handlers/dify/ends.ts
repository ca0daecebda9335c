import { difyType } from '../../items/dify-types.ts';
import type { JsonObject } from '../../items/item.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';
import { stepsById } from './pool.ts';
import { objectsOf, textOfValue } from './values.ts';

/** What steps of a type gave before in this run, in order. */
function givenBefore({ dify }: DifyCall, type: string): JsonObject[] {
  const all = [...stepsById(dify.flow.steps)].filter(([, step]) => step.type === difyType(type));
  const runs = all.flatMap(([id]) => dify.record.get(id) ?? []);
  return runs
    .toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0))
    .map(({ outputs }) => outputs[0]?.[0]?.json ?? {});
}

/** Answer: a text with values in it; the run answers with the texts of all, in order. */
export const handleAnswer: DifyHandler = (call) => {
  const answer = call.pool.fill(call.data['answer'] ?? '');
  const before = givenBefore(call, 'answer').map((one) => textOfValue(one['answer']));
  const body = [...before, answer].join('\n').trim();
  return { ...gives({ answer }), response: { body } };
};

/** End: the run answers with its named values, and with those of ends before it. */
export const handleEnd: DifyHandler = (call) => {
  const named = objectsOf(call.data['outputs']).map(({ variable, value_selector }) => [
    String(variable ?? ''),
    call.pool.at(value_selector) ?? null,
  ]);
  const outputs: JsonObject = Object.fromEntries(named);
  const body = Object.assign({}, ...givenBefore(call, 'end'), outputs);
  return { ...gives(outputs), response: { body } };
};
