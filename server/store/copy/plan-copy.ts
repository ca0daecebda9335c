import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { StoreError } from '../store-error.ts';
import type { Column, CopiedTable, Reading, Relation } from './copied-table.ts';

/** What a store keeps about itself. */
const OWN = new Set(['schema_migrations', 'schema_migrations_lock', 'store_copy']);

/** What the other database makes anew by itself: which texts its own full-text index holds already. */
const MADE_ANEW: Readonly<Record<string, readonly string[]>> = { run_search: ['indexed'] };

/** A view of sums is written into the table of its parts that has one of these endings. */
const PARTS = ['_folded', '_changes'];

function noPlace(name: string): StoreError {
  return new StoreError(
    'copy_refused',
    `Source and target do not both have a place for ${name}. Copy with a program whose stores do.`,
  );
}

function byName(relations: readonly Relation[]): ReadonlyMap<string, Relation> {
  return new Map(relations.map((relation) => [relation.name, relation]));
}

/** The columns of both, by name. @throws StoreError where one cannot do without a column of its own */
function commonColumns(name: string, a: Relation, b: Relation): Column[] {
  const anew = MADE_ANEW[name] ?? [];
  const columns: Column[] = [];
  for (const column of a.columns) {
    const other = b.columns.find((one) => one.name === column.name);
    if (other === undefined && !column.hasDefault) throw noPlace(`${name}.${column.name}`);
    if (other === undefined || anew.includes(column.name)) continue;
    // What a view makes of numbers is told as another kind of number.
    const isAlike = other.kind === column.kind || a.isView || b.isView;
    if (!isAlike) throw noPlace(`${name}.${column.name}`);
    columns.push(a.isView ? other : column);
  }
  const lost = b.columns.find(
    (column) => !column.hasDefault && !a.columns.some((one) => one.name === column.name),
  );
  if (lost !== undefined) throw noPlace(`${name}.${lost.name}`);
  return columns.toSorted((one, other) => compareCodePoints(one.name, other.name));
}

/** A place in an order is kept as a text. */
function isOrdering({ kind }: Column): boolean {
  return kind === 'text' || kind === 'integer';
}

/** The number of arrival where there is one, so that the copy has its rows in the same order. */
function orderOf(relation: Relation, columns: readonly Column[]): readonly Column[] {
  const { rowNumber, key, name } = relation;
  if (rowNumber !== undefined) return [{ name: rowNumber, kind: 'integer', hasDefault: true }];
  const order = key.flatMap((part) => columns.filter((column) => column.name === part));
  const isOrder = order.length > 0 && order.length === key.length;
  if (!isOrder || !order.every(isOrdering)) throw noPlace(`the rows of ${name}`);
  return order;
}

function readingOf(relation: Relation, other: Relation, columns: readonly Column[]): Reading {
  const isSummed = relation.isView;
  const order = isSummed
    ? orderOf({ ...other, rowNumber: undefined }, columns)
    : orderOf(relation, columns);
  return { relation: relation.name, columns, order, isSummed };
}

function intoOf(target: Relation, all: ReadonlyMap<string, Relation>): string {
  if (!target.isView) return target.name;
  const parts = PARTS.map((ending) => `${target.name}${ending}`).find((name) => all.has(name));
  if (parts === undefined) throw noPlace(target.name);
  return parts;
}

/** True for a table whose rows are told by a view that stands for a table of the other database. */
function isPart(name: string, mine: readonly Relation[], others: ReadonlyMap<string, Relation>) {
  return mine.some(
    (view) => view.isView && view.over.includes(name) && others.get(view.name)?.isView === false,
  );
}

/**
 * What is copied from one database of a store to another, by what both say of themselves: tables that
 * both have, and sums that one keeps as a table and the other as a view over parts of them.
 * @throws StoreError `copy_refused` for something that has no place in the other
 */
export function planCopy(
  from: readonly Relation[],
  to: readonly Relation[],
): readonly CopiedTable[] {
  const [sources, targets] = [byName(from), byName(to)];
  const tables: CopiedTable[] = [];
  const names = new Set([...sources.keys(), ...targets.keys()]);
  for (const name of [...names].filter((one) => !OWN.has(one)).sort(compareCodePoints)) {
    const [source, target] = [sources.get(name), targets.get(name)];
    if (source === undefined || target === undefined) {
      const isKnown = isPart(name, from, targets) || isPart(name, to, sources);
      if (isKnown || (source ?? target)?.isView === true) continue;
      throw noPlace(name);
    }
    if (source.isView && target.isView) continue;
    const columns = commonColumns(name, source, target);
    tables.push({
      name,
      columns,
      source: readingOf(source, target, columns),
      target: readingOf(target, source, columns),
      into: intoOf(target, targets),
    });
  }
  return tables;
}
