import { Validator } from '@cfworker/json-schema';
import type { JsonObject } from '../kernel/json.ts';

const validators = new WeakMap<JsonObject, Validator>();

function validatorOf(parameters: JsonObject): Validator {
  const known = validators.get(parameters);
  if (known !== undefined) return known;
  const made = new Validator(parameters, '2020-12', false);
  validators.set(parameters, made);
  return made;
}

/**
 * Why arguments do not fit a tool's parameters (JSON Schema 2020-12); undefined when they do. A
 * schema that cannot be used refuses every call.
 */
export function argumentRefusal(
  tool: string,
  parameters: JsonObject,
  args: JsonObject,
): string | undefined {
  if (Object.keys(parameters).length === 0) return undefined;
  try {
    const result = validatorOf(parameters).validate(args);
    if (result.valid) return undefined;
    const unit = result.errors.at(-1);
    const where =
      unit === undefined || unit.instanceLocation === '#' ? '' : ` at ${unit.instanceLocation}`;
    return `Arguments of tool '${tool}' are invalid${where}: ${unit?.error ?? 'schema mismatch'}`;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    return `Parameters of tool '${tool}' are no usable JSON Schema: ${reason}`;
  }
}
