import type { JsonObject } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';
import type { SqlQuery } from '../../sql-port.ts';

/** A table with its schema; both are names, never SQL. */
export interface Table {
  readonly schema: string;
  readonly name: string;
}

export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quotedTable({ schema, name }: Table): string {
  return `${quotedName(schema)}.${quotedName(name)}`;
}

/** Values in the order in which places of a statement are bound to them. */
export class Binding {
  readonly values: unknown[] = [];

  /** The place that a value is bound to. */
  place(value: unknown): string {
    return `$${this.values.push(value ?? null)}`;
  }
}

function columnList(names: readonly string[]): string {
  return names.includes('*') || names.length === 0 ? '*' : names.map(quotedName).join(', ');
}

function returning(columns: readonly string[]): string {
  return ` RETURNING ${columnList(columns)}`;
}

/** What of a row is written, and what of the written row is given. */
export interface Row {
  readonly table: Table;
  readonly fields: JsonObject;
  readonly given: readonly string[];
}

function insertText({ table, fields }: Row, binding: Binding): string {
  const names = Object.keys(fields);
  if (names.length === 0) return `INSERT INTO ${quotedTable(table)} DEFAULT VALUES`;
  const places = Object.values(fields).map((value) => binding.place(value));
  return `INSERT INTO ${quotedTable(table)} (${names.map(quotedName).join(', ')}) VALUES (${places.join(', ')})`;
}

export function insertStatement(row: Row, skipsOnConflict: boolean): SqlQuery {
  const binding = new Binding();
  const conflict = skipsOnConflict ? ' ON CONFLICT DO NOTHING' : '';
  const text = insertText(row, binding) + conflict + returning(row.given);
  return { text, values: binding.values };
}

function unmatched(fields: JsonObject, matching: readonly string[]): string[] {
  const missing = matching.filter((name) => fields[name] === undefined);
  if (matching.length === 0)
    throw new StepFailure('Name the columns by which the row is found ("Columns to match on").');
  if (missing.length > 0)
    throw new StepFailure(`The row is found by '${missing.join("', '")}', which the item lacks.`);
  return Object.keys(fields).filter((name) => !matching.includes(name));
}

export function upsertStatement(row: Row, matching: readonly string[]): SqlQuery {
  const binding = new Binding();
  const sets = unmatched(row.fields, matching).map(
    (name) => `${quotedName(name)} = EXCLUDED.${quotedName(name)}`,
  );
  const does = sets.length === 0 ? 'NOTHING' : `UPDATE SET ${sets.join(', ')}`;
  const conflict = ` ON CONFLICT (${matching.map(quotedName).join(', ')}) DO ${does}`;
  return {
    text: insertText(row, binding) + conflict + returning(row.given),
    values: binding.values,
  };
}

export function updateStatement(
  { table, fields, given }: Row,
  matching: readonly string[],
): SqlQuery {
  const binding = new Binding();
  const set = (name: string): string => `${quotedName(name)} = ${binding.place(fields[name])}`;
  const changed = unmatched(fields, matching);
  if (changed.length === 0)
    throw new StepFailure('The item has no field beside those by which the row is found.');
  const sets = changed.map(set).join(', ');
  const found = matching.map(set).join(' AND ');
  const text = `UPDATE ${quotedTable(table)} SET ${sets} WHERE ${found}${returning(given)}`;
  return { text, values: binding.values };
}

const CONDITIONS: Readonly<Record<string, string>> = {
  equal: '=',
  '=': '=',
  '!=': '!=',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '<=': '<=',
  LIKE: 'LIKE',
};
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['IS NULL', 'IS NOT NULL']);

function conditionText(rule: JsonObject, binding: Binding): string {
  const column = quotedName(String(rule['column'] ?? ''));
  const condition = String(rule['condition'] ?? 'equal');
  if (WITHOUT_VALUE.has(condition)) return `${column} ${condition}`;
  const sign = CONDITIONS[condition];
  if (sign === undefined) throw new StepFailure(`There is no condition '${condition}'.`);
  return `${column} ${sign} ${binding.place(rule['value'])}`;
}

/** Which rows are meant: all where there are no rules. */
export interface Which {
  readonly table: Table;
  readonly rules: readonly JsonObject[];
  readonly combine: 'AND' | 'OR';
}

function whereText({ rules, combine }: Which, binding: Binding): string {
  if (rules.length === 0) return '';
  return ` WHERE ${rules.map((rule) => conditionText(rule, binding)).join(` ${combine} `)}`;
}

export interface Selection extends Which {
  readonly columns: readonly string[];
  readonly sort: readonly JsonObject[];
  /** Undefined: all rows. */
  readonly limit: number | undefined;
}

export function selectStatement(selection: Selection): SqlQuery {
  const { table, columns, sort, limit } = selection;
  const binding = new Binding();
  const where = whereText(selection, binding);
  const orders = sort.map(({ column, direction }) => {
    return `${quotedName(String(column ?? ''))} ${direction === 'DESC' ? 'DESC' : 'ASC'}`;
  });
  const order = orders.length === 0 ? '' : ` ORDER BY ${orders.join(', ')}`;
  const most = limit === undefined ? '' : ` LIMIT ${binding.place(limit)}`;
  const text = `SELECT ${columnList(columns)} FROM ${quotedTable(table)}${where}${order}${most}`;
  return { text, values: binding.values };
}

export function deleteStatement(which: Which): SqlQuery {
  const binding = new Binding();
  const text = `DELETE FROM ${quotedTable(which.table)}${whereText(which, binding)}`;
  return { text, values: binding.values };
}
