import { type Extensions, fail, isBlank } from './kinds.ts';

type Row = Record<string, unknown>;

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact).filter((part) => !isBlank(part));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, compact(part)] as const);
  return Object.fromEntries(parts.filter(([, part]) => !isBlank(part) && part !== 'nil'));
}

function fieldsWith(keep: boolean, name: string) {
  return (row: Row, text: string): Row => {
    if (typeof text !== 'string' || text === '')
      return fail(`${name}(): expected non-empty string arg`);
    const entries = Object.entries(row).filter(([, value]) => {
      const holds = typeof value === 'string' && value.includes(text);
      return keep ? holds : !holds;
    });
    return Object.fromEntries(entries);
  };
}

export const OBJECT_EXTENSIONS: Extensions = {
  compact,
  hasField: (row: Row, name: string) => name in row,
  isEmpty: (row: Row) => Object.keys(row).length === 0,
  isNotEmpty: (row: Row) => Object.keys(row).length > 0,
  keepFieldsContaining: fieldsWith(true, 'keepFieldsContaining'),
  keys: (row: Row) => Object.keys(row),
  merge: (row: Row, other: Row) => ({ ...other, ...row }),
  removeField: (row: Row, name: string) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => key !== name)),
  removeFieldsContaining: fieldsWith(false, 'removeFieldsContaining'),
  toJsonString: (row: Row) => JSON.stringify(row),
  urlEncode: (row: Row) =>
    Object.entries(row)
      .map(([key, value]) => [key, String(value)].map(encodeURIComponent).join('='))
      .join('&')
      .replaceAll('%20', '+'),
  values: (row: Row) => Object.values(row),
};
