import { isObject } from '../../kernel/json.ts';
import { type Handler, StepFailure } from '../handler.ts';
import { evaluateOnce } from './fields.ts';
import { NoJson, parseLoosely } from './loose-json.ts';
import { textOf } from './typed-value.ts';

function objectOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseLoosely(value);
  } catch (error) {
    if (error instanceof NoJson) throw new StepFailure('The error object is no JSON');
    throw error;
  }
}

/** An error given as an object is told by its message, its description or its error. */
function messageOf(value: unknown): string {
  const found = objectOf(value);
  if (!isObject(found)) return textOf(found);
  const told = found['message'] ?? found['description'] ?? found['error'];
  return told === undefined || told === null ? `Error: ${JSON.stringify(found)}` : textOf(told);
}

/** Stop and Error: the run ends with the author's message. */
export const handleStop: Handler = async (call) => {
  const { errorType, errorMessage, errorObject } = call.node.parameters;
  const isObjectError = errorType === 'errorObject';
  const setting = isObjectError ? errorObject : errorMessage;
  if (setting === undefined)
    throw new StepFailure('The step has no error to tell. Its source refuses to run without one.');
  const read = await evaluateOnce(call, [setting]);
  const value = read(setting);
  throw new StepFailure(isObjectError ? messageOf(value) : textOf(value));
};
