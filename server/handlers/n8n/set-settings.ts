import type { JsonObject } from '../../items/item.ts';
import type { HandlerNode } from '../handler.ts';
import { listIn, objectIn } from './settings.ts';
import type { FieldType } from './typed-value.ts';

/** One field that the step sets. */
export interface SetField {
  readonly name: unknown;
  readonly value: unknown;
  /** The type that a value is brought to; null leaves it as it is. */
  readonly type: FieldType | null;
}

export type Include = 'all' | 'none' | 'selected' | 'except';

/** The settings of a Set step, the same for all of its versions. */
export interface SetSettings {
  readonly mode: 'fields' | 'raw';
  readonly raw: unknown;
  readonly fields: readonly SetField[];
  readonly include: Include;
  readonly selected: unknown;
  readonly excepted: unknown;
  readonly dotNotation: boolean;
  readonly ignoresConversionErrors: boolean;
  readonly keepsBinary: boolean;
  /** How often each item is given beside itself. */
  readonly copies: unknown;
}

const DEFAULTS: Readonly<Record<string, unknown>> = { boolean: false, number: 0, string: '' };
const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'array', 'object']);

function typeOf(name: unknown): FieldType {
  const type = String(name ?? 'string').replace(/Value$/, '');
  return TYPES.has(type) ? (type as FieldType) : 'string';
}

/** Versions 1 and 2 set the fields of each type in turn and change no value. */
function fieldsByType(parameters: JsonObject): SetField[] {
  const values = objectIn(parameters, 'values');
  return Object.entries(DEFAULTS).flatMap(([type, preset]) =>
    listIn(values, type).map(({ name = 'propertyName', value = preset }) => ({
      name,
      value,
      type: null,
    })),
  );
}

function fieldsOf({ parameters, version }: HandlerNode): SetField[] {
  if (version < 3) return fieldsByType(parameters);
  if (version < 3.3)
    return listIn(objectIn(parameters, 'fields'), 'values').map((field) => {
      const type = typeOf(field['type']);
      return { name: field['name'], value: field[`${type}Value`] ?? DEFAULTS[type], type };
    });
  return listIn(objectIn(parameters, 'assignments'), 'assignments').map((field) => ({
    name: field['name'],
    value: field['value'],
    type: typeOf(field['type']),
  }));
}

function includeOf({ parameters, version }: HandlerNode): Include {
  if (version < 3) return parameters['keepOnlySet'] === true ? 'none' : 'all';
  if (version >= 3.3 && parameters['includeOtherFields'] !== true) return 'none';
  const include = parameters['include'];
  return include === 'none' || include === 'selected' || include === 'except' ? include : 'all';
}

function keepsBinary(node: HandlerNode, options: JsonObject): boolean {
  if (node.version >= 3.4)
    return node.parameters['includeOtherFields'] === true && options['stripBinary'] !== true;
  return node.version < 3 ? includeOf(node) === 'all' : options['includeBinary'] === true;
}

/** Reads the settings of any version. */
export function readSetSettings(node: HandlerNode): SetSettings {
  const { parameters } = node;
  const options = objectIn(parameters, 'options');
  return {
    mode: parameters['mode'] === 'raw' ? 'raw' : 'fields',
    raw: parameters['jsonOutput'] ?? '{}',
    fields: fieldsOf(node),
    include: includeOf(node),
    selected: parameters['includeFields'] ?? '',
    excepted: parameters['excludeFields'] ?? '',
    dotNotation: options['dotNotation'] !== false,
    ignoresConversionErrors: options['ignoreConversionErrors'] === true,
    keepsBinary: keepsBinary(node, options),
    copies: parameters['duplicateItem'] === true ? (parameters['duplicateCount'] ?? 0) : 0,
  };
}
