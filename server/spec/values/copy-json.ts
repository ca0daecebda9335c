import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { carryAllMarks } from './non-text.ts';

/** A deep copy of a document value, marks of non-text scalars included. */
export function copyJson(value: Json): Json {
  if (Array.isArray(value)) {
    const list = value.map(copyJson);
    carryAllMarks(value, list);
    return list;
  }
  return isObject(value) ? copyObject(value) : value;
}

/** A deep copy of a mapping. */
export function copyObject(value: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key] ?? null));
  carryAllMarks(value, copy);
  return copy;
}
