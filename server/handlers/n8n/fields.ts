import { jsonOf, type Value } from '../../expressions/port/values.ts';
import type { Item } from '../../items/item.ts';
import { contextOf, type HandlerCall, StepFailure } from '../handler.ts';

/** An expression of a field could not be evaluated, in the words of the source. */
export class FieldFailure extends Error {
  override readonly name = 'FieldFailure';
}

/** The fields of one item, evaluated. */
export interface ItemFields {
  /** What a field of the settings holds; a text that is no expression is what it is. */
  value(field: unknown): Value;
  /** The same. @throws FieldFailure when the expression failed */
  known(field: unknown): Value;
  /** What of it JSON can hold. @throws FieldFailure when the expression failed */
  json(field: unknown): unknown;
}

export function isExpression(field: unknown): field is string {
  return typeof field === 'string' && field.startsWith('=');
}

const UNDEFINED: Value = { kind: 'undefined' };

/** One row of values, and in which column each expression stands. */
class RowFields implements ItemFields {
  readonly #row: readonly Value[];
  readonly #columns: ReadonlyMap<string, number>;

  constructor(row: readonly Value[], columns: ReadonlyMap<string, number>) {
    this.#row = row;
    this.#columns = columns;
  }

  value(field: unknown): Value {
    if (isExpression(field)) return this.#row[this.#columns.get(field) ?? -1] ?? UNDEFINED;
    return field === undefined ? UNDEFINED : { kind: 'json', value: field };
  }

  known(field: unknown): Value {
    const found = this.value(field);
    if (found.kind === 'failed') throw new FieldFailure(found.message);
    return found;
  }

  json(field: unknown): unknown {
    return jsonOf(this.known(field));
  }
}

/**
 * Evaluates all expressions among fields at once, for all items or for those at `places`; answers
 * how to read them, by item or by place: one and the same way where nothing is an expression.
 */
export async function evaluateFields(
  call: HandlerCall,
  items: readonly Item[],
  fields: readonly unknown[],
  places?: readonly number[],
): Promise<readonly ItemFields[]> {
  const expressions = [...new Set(fields.filter(isExpression))];
  const columns = new Map(expressions.map((text, at) => [text, at]));
  if (expressions.length === 0) {
    const same = new RowFields([], columns);
    return (places ?? items).map(() => same);
  }
  const rows = await call.evaluator.evaluate(
    contextOf(call, items),
    expressions.map((text) => text.slice(1)),
    places,
  );
  return (places ?? items).map((_, place) => new RowFields(rows[place] ?? [], columns));
}

/**
 * The fields of settings that count once for a step, as they are for the first item.
 * @throws StepFailure when an expression failed
 */
export async function evaluateOnce(
  call: HandlerCall,
  fields: readonly unknown[],
): Promise<(field: unknown) => unknown> {
  const items = call.inputs[0] ?? [];
  const some = items.length === 0 ? [{ json: {} }] : items;
  const [first] = await evaluateFields(call, some, fields, [0]);
  return (field) => {
    try {
      return first?.json(field);
    } catch (error) {
      if (error instanceof FieldFailure) throw new StepFailure(error.message);
      throw error;
    }
  };
}
