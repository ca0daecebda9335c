import { type Extensions, fail, isBlank, isSame } from './kinds.ts';

type Row = Record<string, unknown>;

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(list: readonly unknown[], value: unknown): boolean {
  return list.some((other) => isSame(other, value));
}

function distinct(list: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  const kept: unknown[] = [];
  const objects: unknown[] = [];
  for (const value of list) {
    const isObject = typeof value === 'object' && value !== null;
    if (isObject ? has(objects, value) : seen.has(value)) continue;
    if (isObject) objects.push(value);
    else seen.add(value);
    kept.push(value);
  }
  return kept;
}

function unique(list: readonly unknown[], ...keys: string[]): unknown[] {
  const named = keys.flat();
  if (named.length === 0) return distinct(list);
  const kept: unknown[] = [];
  const seen: unknown[] = [];
  for (const value of list) {
    const part = isRow(value) ? named.map((key) => value[key]) : [value];
    if (has(seen, part)) continue;
    seen.push(part);
    kept.push(value);
  }
  return kept;
}

function numbersOf(name: string, list: readonly unknown[]): number[] {
  return list.map((value) =>
    typeof value === 'number' ? value : fail(`${name}(): all array elements must be numbers`),
  );
}

function sum(list: readonly number[]): number {
  return list.reduce((total, value) => total + value, 0);
}

function pluck(list: readonly unknown[], ...keys: string[]): unknown[] {
  if (keys.length === 0) return [...list];
  const [first = ''] = keys;
  return list.map((value) => {
    if (!isRow(value)) return value;
    return keys.length === 1 ? value[first] : keys.map((key) => value[key]);
  });
}

function renameKeys(list: readonly unknown[], ...names: string[]): unknown[] {
  if (names.length === 0 || names.length % 2 !== 0)
    return fail('renameKeys(): expected an even amount of args: from1, to1 [, from2, to2, ...]');
  return list.map((value) => {
    if (!isRow(value)) return value;
    const row = { ...value };
    for (let at = 0; at < names.length; at += 2) {
      const [from = '', to = ''] = [names[at], names[at + 1]];
      if (!(from in row)) continue;
      const held = row[from];
      delete row[from];
      row[to] = held;
    }
    return row;
  });
}

function chunk(list: readonly unknown[], length: number): unknown[][] {
  if (typeof length !== 'number' || length <= 0)
    return fail('chunk(): expected a number greater than 0');
  const size = Math.ceil(length);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}

function merge(list: readonly unknown[], others: readonly unknown[] = []): Row {
  return Object.assign({}, ...others.filter(isRow), ...list.filter(isRow));
}

function smartJoin(list: readonly unknown[], key: string, value: string): Row {
  if (!key || !value)
    return fail('smartJoin(): expected two string args, e.g. .smartJoin("name", "value")');
  const rows = list.filter((row) => isRow(row) && key in row && value in row) as Row[];
  return Object.fromEntries(rows.map((row) => [String(row[key]), row[value]]));
}

export const ARRAY_EXTENSIONS: Extensions = {
  append: (list: unknown[], ...values: unknown[]) => [...list, ...values],
  average: (list: unknown[]) =>
    list.length === 0 ? 0 : sum(numbersOf('average', list)) / list.length,
  chunk,
  compact: (list: unknown[]) => list.filter((value) => !isBlank(value)),
  difference: (list: unknown[], others: unknown[]) => list.filter((value) => !has(others, value)),
  first: (list: unknown[]) => list[0],
  intersection: (list: unknown[], others: unknown[]) =>
    distinct(list.filter((value) => has(others, value))),
  isEmpty: (list: unknown[]) => list.length === 0,
  isNotEmpty: (list: unknown[]) => list.length > 0,
  last: (list: unknown[]) => list[list.length - 1],
  max: (list: unknown[]) => Math.max(...numbersOf('max', list)),
  merge,
  min: (list: unknown[]) => Math.min(...numbersOf('min', list)),
  pluck,
  randomItem: (list: unknown[]) => list[Math.floor(Math.random() * list.length)],
  removeDuplicates: unique,
  renameKeys,
  smartJoin,
  sum: (list: unknown[]) => sum(numbersOf('sum', list)),
  toJsonString: (list: unknown[]) => JSON.stringify(list),
  union: (list: unknown[], others: unknown[]) => distinct([...list, ...others]),
  unique,
};
