import { splitTemplate } from '../../../expressions/compile/split-template.ts';
import type { Item } from '../../../items/item.ts';
import { type HandlerCall, StepFailure } from '../../handler.ts';
import type { SqlQuery } from '../../sql-port.ts';
import { evaluateFields, type ItemFields } from '../fields.ts';
import { objectIn } from '../settings.ts';

const PLACE = /\$(\d+)/g;
/** Places that ask for something else than a value, such as `$1:name`; a cast has two colons. */
const NO_VALUE = /\$\d+(?:\^|~|:(?!:)[a-z#]+)/i;

function split(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** The query as the source evaluates it: also where its setting is not marked as an expression. */
function textField(query: unknown): unknown {
  const isMarked = typeof query === 'string' && query.startsWith('=');
  return typeof query === 'string' && !isMarked && query.includes('{{') ? `=${query}` : query;
}

/** What stands between commas, but for those within an expression. */
function partsOf(list: string): string[] {
  const parts = [''];
  for (const part of splitTemplate(list)) {
    const pieces = 'code' in part ? [`{{${part.code}}}`] : part.text.split(',');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) parts.push('');
      parts.push(`${parts.pop() ?? ''}${piece}`);
    }
  }
  return parts;
}

/** The parts of a list of values: expressions one by one, so that each keeps its type. */
function valueFields(list: unknown): unknown[] {
  if (typeof list !== 'string') return [];
  return partsOf(list.replace(/^=/, ''))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (part.includes('{{') ? `=${part}` : part));
}

function placesIn(text: string): number {
  return Math.max(0, ...[...text.matchAll(PLACE)].map(([, number]) => Number(number)));
}

function boundTo(text: string, values: readonly unknown[]): SqlQuery {
  const [other] = NO_VALUE.exec(text) ?? [];
  if (other !== undefined)
    throw new StepFailure(
      `The query has '${other}', and parameters are only values here. Write the name into the query, by an expression where it is computed.`,
    );
  const places = placesIn(text);
  const single =
    values.length < places
      ? values.flatMap((value) => (typeof value === 'string' ? split(value) : [value]))
      : values;
  return { text, values: single.slice(0, places) };
}

/** The values of the first versions: fields of the item by their names. */
function namedValues({ json }: Item, names: unknown): unknown[] {
  return split(String(names ?? '')).map((name) => json[name]);
}

function listedValues(list: unknown, fields: ItemFields): unknown[] {
  if (Array.isArray(list)) return list;
  const all = valueFields(list).map((field) => fields.json(field));
  const [first] = all;
  return all.length === 1 && Array.isArray(first) ? first : all;
}

/** The query of an item with the values of its places. @throws FieldFailure or StepFailure */
export type QueryOf = (item: Item, at: number) => SqlQuery;

/** Reads the queries of a step; what an author computed in a query stands in its text, as in the source. */
export async function queriesOf(call: HandlerCall, items: readonly Item[]): Promise<QueryOf> {
  const { parameters, version } = call.node;
  const query = textField(parameters['query']);
  const list = objectIn(parameters, 'options')['queryReplacement'];
  const names = objectIn(parameters, 'additionalFields')['queryParams'];
  const rows = await evaluateFields(call, items, [query, names, ...valueFields(list)]);
  return (item, at) => {
    const fields = rows[at];
    if (fields === undefined) throw new Error('every item was evaluated, and this one was not');
    const text = String(fields.json(query) ?? '');
    const values = version < 2 ? namedValues(item, fields.json(names)) : listedValues(list, fields);
    return boundTo(text, values);
  };
}
