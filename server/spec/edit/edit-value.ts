import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { copyJson } from '../values/copy-json.ts';
import type { Path, PathSegment } from '../values/path.ts';

/** One change of a document. Positions in lists count from 0. */
export type DocumentEdit =
  /** Gives a place a value; missing mappings on the way are made, a missing key comes last. */
  | { readonly op: 'set'; readonly path: Path; readonly value: Json }
  /** Puts a value before a position of a list (its length: at the end). */
  | { readonly op: 'insert'; readonly path: Path; readonly value: Json }
  /** Removes an entry of a mapping or an item of a list. */
  | { readonly op: 'delete'; readonly path: Path }
  /** Moves an item of a list to another position, counted after its removal. */
  | { readonly op: 'move'; readonly path: Path; readonly to: number }
  /** Gives an entry of a mapping another key. */
  | { readonly op: 'rename'; readonly path: Path; readonly key: string };

/** The own child of a value. */
export function childOf(holder: Json, segment: PathSegment): Json | undefined {
  if (Array.isArray(holder)) return typeof segment === 'number' ? holder[segment] : undefined;
  return isObject(holder) && Object.hasOwn(holder, segment) ? holder[String(segment)] : undefined;
}

function setChild(holder: Json, segment: PathSegment, value: Json): boolean {
  if (Array.isArray(holder)) {
    if (typeof segment !== 'number' || segment < 0 || segment >= holder.length) return false;
    holder[segment] = value;
    return true;
  }
  if (!isObject(holder) || typeof segment === 'number') return false;
  setOwn(holder, segment, value);
  return true;
}

function renameKey(holder: JsonObject, from: string, to: string): boolean {
  if (!Object.hasOwn(holder, from) || Object.hasOwn(holder, to)) return false;
  const entries = Object.keys(holder).map((key): [string, Json] => [key, holder[key] ?? null]);
  for (const [key] of entries) delete holder[key];
  for (const [key, value] of entries) setOwn(holder, key === from ? to : key, value);
  return true;
}

function changeList(list: Json[], at: number, edit: DocumentEdit): boolean {
  if (!Number.isInteger(at) || at < 0) return false;
  if (edit.op === 'insert') {
    if (at > list.length) return false;
    list.splice(at, 0, copyJson(edit.value));
    return true;
  }
  if (at >= list.length) return false;
  const [item = null] = list.splice(at, 1);
  if (edit.op !== 'move') return edit.op === 'delete';
  if (!Number.isInteger(edit.to) || edit.to < 0 || edit.to > list.length) return false;
  list.splice(edit.to, 0, item);
  return true;
}

function change(holder: Json, last: PathSegment, edit: DocumentEdit): boolean {
  if (edit.op === 'set') return setChild(holder, last, copyJson(edit.value));
  if (Array.isArray(holder)) return typeof last === 'number' && changeList(holder, last, edit);
  if (!isObject(holder) || typeof last === 'number') return false;
  if (edit.op === 'rename') return renameKey(holder, last, edit.key);
  if (edit.op !== 'delete' || !Object.hasOwn(holder, last)) return false;
  delete holder[last];
  return true;
}

/** The mapping or list that an edit changes; missing ones on the way are made where it may add. */
function holderOf(document: JsonObject, edit: DocumentEdit): Json | undefined {
  const adds = edit.op === 'set' || edit.op === 'insert';
  let holder: Json = document;
  for (const [index, segment] of edit.path.slice(0, -1).entries()) {
    let next: Json | undefined = childOf(holder, segment) ?? undefined;
    if (next === undefined) {
      next = edit.op === 'insert' && typeof edit.path[index + 1] === 'number' ? [] : {};
      if (!adds || !setChild(holder, segment, next)) return undefined;
    }
    holder = next;
  }
  return holder;
}

/** The document after an edit, on a copy; undefined when the edit does not fit the document. */
export function editValue(document: JsonObject, edit: DocumentEdit): JsonObject | undefined {
  const last = edit.path.at(-1);
  const made = copyJson(document);
  if (last === undefined || !isObject(made)) return undefined;
  const holder = holderOf(made, edit);
  return holder !== undefined && change(holder, last, edit) ? made : undefined;
}
