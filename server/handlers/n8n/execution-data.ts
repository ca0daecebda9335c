import { type Handler, StepFailure } from '../handler.ts';
import { evaluateFields, FieldFailure } from './fields.ts';
import { listIn, objectIn } from './settings.ts';
import { textOf } from './typed-value.ts';

/** Execution Data: notes texts with the run, and hands its items on. */
export const handleExecutionData: Handler = async (call) => {
  const items = call.inputs[0] ?? [];
  const values = listIn(objectIn(call.node.parameters, 'dataToSave'), 'values');
  const settings = values.flatMap(({ key, value }) => [key, value]);
  const fields = await evaluateFields(call, items, settings);
  try {
    const noted = fields.flatMap((own) =>
      values.map(({ key, value }) => [textOf(own.json(key)), textOf(own.json(value))]),
    );
    return { outputs: [items], context: { noted: Object.fromEntries(noted) } };
  } catch (error) {
    if (error instanceof FieldFailure) throw new StepFailure(error.message);
    throw error;
  }
};
