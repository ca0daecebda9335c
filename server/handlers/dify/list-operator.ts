import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { StepFailure } from '../handler.ts';
import { compares } from './conditions.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';
import { objectsOf } from './values.ts';

type List = readonly unknown[];

function part(data: JsonObject, name: string): JsonObject | undefined {
  const found = data[name];
  return isObject(found) && found['enabled'] === true ? found : undefined;
}

/** What is compared of an item: the item itself, or a field of a file. */
function fieldOf(item: unknown, key: unknown): unknown {
  return isObject(item) && typeof key === 'string' && key !== '' ? item[key] : item;
}

function filtered(list: List, filter: JsonObject, { pool }: DifyCall): List {
  const conditions = objectsOf(filter['conditions']);
  return list.filter((item) =>
    conditions.every(({ key, comparison_operator, value }) =>
      compares(
        comparison_operator,
        fieldOf(item, key),
        typeof value === 'string' ? pool.fill(value) : value,
      ),
    ),
  );
}

function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [String(one), String(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function ordered(list: List, { key, value }: JsonObject): List {
  const way = value === 'desc' ? -1 : 1;
  return list.toSorted((one, other) => way * compared(fieldOf(one, key), fieldOf(other, key)));
}

function extracted(list: List, { serial }: JsonObject, { pool, node }: DifyCall): List {
  const number = Number(pool.fill(typeof serial === 'number' ? String(serial) : serial));
  if (!Number.isInteger(number) || number < 1)
    throw new StepFailure(`'${node.name}': the number of the item to take must be 1 or more.`);
  if (number > list.length)
    throw new StepFailure(
      `'${node.name}': the list has ${list.length} items, and item ${number} is asked for.`,
    );
  return list.slice(number - 1, number);
}

/** List operator: filters a list, takes an item, orders and cuts it. */
export const handleListOperator: DifyHandler = (call) => {
  const { data, pool, node } = call;
  const value = pool.at(data['variable']) ?? [];
  if (!Array.isArray(value)) throw new StepFailure(`'${node.name}' needs a list, and got none.`);
  let list: List = value;
  const filter = part(data, 'filter_by');
  if (filter !== undefined) list = filtered(list, filter, call);
  const extract = part(data, 'extract_by');
  if (extract !== undefined) list = extracted(list, extract, call);
  const order = part(data, 'order_by');
  if (order !== undefined) list = ordered(list, order);
  const limit = part(data, 'limit');
  if (limit !== undefined) list = list.slice(0, Math.max(0, Number(limit['size'] ?? list.length)));
  const [first = null] = list;
  return gives({ result: list, first_record: first, last_record: list.at(-1) ?? null });
};
