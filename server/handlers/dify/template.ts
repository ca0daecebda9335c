import { contextOf, StepFailure } from '../handler.ts';
import { type DifyHandler, gives } from './dify-call.ts';
import { objectsOf } from './values.ts';

/** Template: a text of Jinja with the step's variables; it is computed confined. */
export const handleTemplate: DifyHandler = async (call) => {
  const { data, pool, evaluator } = call;
  const values = objectsOf(data['variables']).map(({ variable, value_selector }) => [
    String(variable ?? ''),
    pool.at(value_selector) ?? null,
  ]);
  const source = String(data['template'] ?? '');
  const items = [{ json: Object.fromEntries(values) }];
  const code = { source, mode: 'template', goesOn: false } as const;
  const { answers } = await evaluator.runCode(contextOf(call, items), code);
  const [answer] = answers;
  if (answer?.kind !== 'value')
    throw new StepFailure(answer?.message ?? 'The template gave nothing');
  return gives({ output: String(answer.value) });
};
