import { Validator } from '@cfworker/json-schema';
import { isObject, type Json, type JsonObject, setOwn } from '../kernel/json.ts';

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required']);
/** Keywords that hold schemas by name: a name may be `format`. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/**
 * A copy of a schema without `format`, which is a note in JSON Schema 2020-12 and enforced by the
 * validator. The validator also writes into what it is given, and the spec's own schema goes to models.
 */
function withoutFormats(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutFormats);
  return isObject(schema) ? objectWithoutFormats(schema) : schema;
}

function objectWithoutFormats(schema: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'format') continue;
    setOwn(copy, key, DATA.has(key) ? structuredClone(value) : keywordValue(key, value));
  }
  return copy;
}

function keywordValue(key: string, value: Json): Json {
  if (!NAMED.has(key) || !isObject(value)) return withoutFormats(value);
  const copy: JsonObject = {};
  for (const [name, schema] of Object.entries(value)) setOwn(copy, name, withoutFormats(schema));
  return copy;
}

const validators = new WeakMap<JsonObject, Validator>();

function validatorOf(parameters: JsonObject): Validator {
  const known = validators.get(parameters);
  if (known !== undefined) return known;
  const made = new Validator(objectWithoutFormats(parameters), '2020-12', false);
  validators.set(parameters, made);
  return made;
}

/** Why a call cannot be made with these arguments: they do not fit, or the schema cannot be used. */
export interface ArgumentProblem {
  readonly kind: 'unfit' | 'unusable_schema';
  readonly message: string;
}

/** What a validator says of a schema that it cannot use, without the addresses that it gives parts. */
function schemaFault(cause: unknown): string {
  const ref = /^\w+: Unresolved \$ref "([^"]*)"/.exec(String(cause))?.[1];
  if (ref !== undefined) return `$ref "${ref}" leads nowhere`;
  if (cause instanceof SyntaxError)
    return 'a pattern is no regular expression that can be used here';
  if (cause instanceof RangeError) return 'its parts refer to one another without an end';
  return 'a keyword has a value of the wrong kind';
}

/**
 * Why arguments do not fit a tool's parameters (JSON Schema 2020-12, `format` not enforced);
 * undefined when they do.
 */
export function argumentProblem(
  tool: string,
  parameters: JsonObject,
  args: JsonObject,
): ArgumentProblem | undefined {
  if (Object.keys(parameters).length === 0) return undefined;
  try {
    const result = validatorOf(parameters).validate(args);
    if (result.valid) return undefined;
    const unit = result.errors.at(-1);
    const where =
      unit === undefined || unit.instanceLocation === '#' ? '' : ` at ${unit.instanceLocation}`;
    const reason = unit?.error ?? 'schema mismatch';
    const message = `Arguments of tool '${tool}' are invalid${where}: ${reason}`;
    return { kind: 'unfit', message };
  } catch (cause) {
    const message = `The parameters of tool '${tool}' are no usable JSON Schema: ${schemaFault(cause)}.`;
    return { kind: 'unusable_schema', message };
  }
}
