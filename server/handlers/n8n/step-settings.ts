import type { Item, JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { type HandlerCall, StepFailure } from '../handler.ts';
import { evaluateFields, FieldFailure, type ItemFields, isExpression } from './fields.ts';
import { objectIn } from './settings.ts';

function expressionsIn(value: unknown): string[] {
  if (isExpression(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(expressionsIn);
}

function trimmed(list: readonly unknown[]): string[] {
  return list.map((name) => String(name).trim()).filter((name) => name !== '');
}

/**
 * The settings of a step, by names with dots, their expressions evaluated. Each throws a
 * StepFailure when an expression in what it reads failed.
 */
export class Settings {
  readonly #parameters: JsonObject;
  readonly #fields: ItemFields;

  constructor(parameters: JsonObject, fields: ItemFields) {
    this.#parameters = parameters;
    this.#fields = fields;
  }

  #resolved(value: unknown): unknown {
    if (isExpression(value)) return this.#fields.json(value);
    if (Array.isArray(value)) return value.map((one) => this.#resolved(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inside]) => [key, this.#resolved(inside)]),
    );
  }

  /** What a setting holds; the preset where the export leaves it out. */
  value(name: string, preset?: unknown): unknown {
    let at: unknown = this.#parameters;
    for (const key of name.split('.')) at = isObject(at) ? at[key] : undefined;
    if (at === undefined) return preset;
    try {
      return this.#resolved(at);
    } catch (error) {
      if (error instanceof FieldFailure) throw new StepFailure(error.message);
      throw error;
    }
  }

  text(name: string, preset = ''): string {
    return String(this.value(name, preset) ?? '');
  }

  /** An object; empty where there is none. */
  object(name: string): JsonObject {
    return objectIn({ found: this.value(name) }, 'found');
  }

  isOn(name: string): boolean {
    return this.value(name) === true;
  }

  /** The objects of a list. */
  list(name: string): JsonObject[] {
    const found = this.value(name);
    return Array.isArray(found) ? found.filter(isObject) : [];
  }

  /** Names of fields: a text with commas, a list, or the `fields` of older versions. */
  names(name: string): string[] {
    const found = this.value(name, '');
    if (typeof found === 'string') return trimmed(found.split(','));
    if (Array.isArray(found)) return trimmed(found);
    if (isObject(found))
      return trimmed(this.list(`${name}.fields`).map((field) => field['fieldName'] ?? ''));
    throw new StepFailure(`The setting '${name}' must be names of fields with commas between them`);
  }

  /** The step reads names with dots as ways into objects. */
  get dotted(): boolean {
    return !this.isOn('options.disableDotNotation');
  }
}

/** The settings as one item after another has them: the same object where they are the same. */
export async function settingsByItem(
  call: HandlerCall,
  items: readonly Item[],
): Promise<readonly Settings[]> {
  const { parameters } = call.node;
  const fields = await evaluateFields(call, items, expressionsIn(parameters));
  let last: { readonly own: ItemFields; readonly settings: Settings } | undefined;
  return fields.map((own) => {
    if (last?.own !== own) last = { own, settings: new Settings(parameters, own) };
    return last.settings;
  });
}

const NO_ITEM: Item = { json: {} };

/** The settings of a step that handles all items at once: as the first of them has them. */
export async function settingsOfFirst(
  call: HandlerCall,
  items: readonly Item[],
): Promise<Settings> {
  const { parameters } = call.node;
  const context = items.length === 0 ? [NO_ITEM] : items;
  const [fields] = await evaluateFields(call, context, expressionsIn(parameters), [0]);
  if (fields === undefined) throw new Error('one place was evaluated, and there is no answer');
  return new Settings(parameters, fields);
}

/** One step with its items and settings, whatever the node that it is a part of. */
export interface DataStep {
  readonly call: HandlerCall;
  readonly items: readonly Item[];
  readonly settings: Settings;
}
