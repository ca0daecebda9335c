import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import type { Path } from '../values/path.ts';
import type { DocumentEdit } from './edit-value.ts';

function isMapping(value: Json | undefined): value is JsonObject {
  return isObject(value) && !Array.isArray(value);
}

/** The changes of mappings that make one document the other; a list that differs is set anew. */
export function editsBetween(
  before: JsonObject,
  after: JsonObject,
  at: Path = [],
): readonly DocumentEdit[] {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [
    ...gone.map((key): DocumentEdit => ({ op: 'delete', path: [...at, key] })),
    ...Object.entries(after).flatMap(([key, value]): readonly DocumentEdit[] => {
      const path = [...at, key];
      const known = Object.hasOwn(before, key) ? before[key] : undefined;
      if (known !== undefined && sameJson(known, value)) return [];
      return isMapping(known) && isMapping(value)
        ? editsBetween(known, value, path)
        : [{ op: 'set', path, value }];
    }),
  ];
}
