import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import { editText } from '../edit/edit-text.ts';
import { childOf, type DocumentEdit } from '../edit/edit-value.ts';
import { applyEdits } from '../edit/text-edit.ts';
import type { Path } from '../values/path.ts';
import { parseWholeText, type SpecFormat } from '../yaml/parse-yaml.ts';
import { keysLikeEarlier, keysOfItems } from './list-identity.ts';

/** The new name of an entry that only gets another one; `holder` is its mapping. */
export type NewNameOf = (holder: Path, key: string) => string | undefined;

function editOfMap(
  from: JsonObject,
  to: JsonObject,
  path: Path,
  newNameOf: NewNameOf,
): DocumentEdit | undefined {
  const gone = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  for (const key of gone) {
    const name = newNameOf(path, key);
    const free = name !== undefined && Object.hasOwn(to, name) && !Object.hasOwn(from, name);
    if (free) return { op: 'rename', path: [...path, key], key: name };
  }
  for (const key of Object.keys(to)) {
    const at = [...path, key];
    const value = to[key] ?? null;
    if (!Object.hasOwn(from, key)) return { op: 'set', path: at, value };
    const edit = nextEdit(from[key] ?? null, value, at, newNameOf);
    if (edit !== undefined) return edit;
  }
  const [key] = gone;
  return key === undefined ? undefined : { op: 'delete', path: [...path, key] };
}

function editOfList(
  from: readonly Json[],
  to: Json[],
  path: Path,
  newNameOf: NewNameOf,
): DocumentEdit | undefined {
  const keys = keysOfItems(from);
  const wanted = keysLikeEarlier(from, to);
  const left = new Set(wanted);
  if (!keys.some((key) => left.has(key))) return { op: 'set', path, value: to };
  const gone = keys.findLastIndex((key) => !left.has(key));
  if (gone >= 0) return { op: 'delete', path: [...path, gone] };
  for (const [index, key] of wanted.entries()) {
    const value = to[index] ?? null;
    const at = keys.indexOf(key);
    if (at < 0) return { op: 'insert', path: [...path, index], value };
    if (at !== index) return { op: 'move', path: [...path, at], to: index };
    const edit = nextEdit(from[index] ?? null, value, [...path, index], newNameOf);
    if (edit !== undefined) return edit;
  }
  return undefined;
}

/** The first change on the way from one value to another; undefined when they say the same. */
function nextEdit(
  from: Json,
  to: Json,
  path: Path,
  newNameOf: NewNameOf,
): DocumentEdit | undefined {
  if (sameJson(from, to)) return undefined;
  if (isJsonObject(from) && isJsonObject(to)) return editOfMap(from, to, path, newNameOf);
  if (Array.isArray(from) && Array.isArray(to)) return editOfList(from, to, path, newNameOf);
  return { op: 'set', path, value: to };
}

function valueAt(document: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, segment) => (value === undefined ? undefined : childOf(value, segment)),
    document,
  );
}

/** The text after an edit, or with one of its holders written anew where the edit cannot be made. */
function edited(
  text: string,
  edit: DocumentEdit,
  wanted: JsonObject,
  format: SpecFormat,
): string | undefined {
  const edits = editText(text, edit, format);
  if (edits !== undefined) return applyEdits(text, edits);
  for (let length = edit.path.length - 1; length > 0; length -= 1) {
    const path = edit.path.slice(0, length);
    const value = valueAt(wanted, path);
    const wider =
      value === undefined ? undefined : editText(text, { op: 'set', path, value }, format);
    if (wider !== undefined) return applyEdits(text, wider);
  }
  return undefined;
}

/** So many changes are made one by one. */
const MAX_EDITS = 2000;

/**
 * A text that says what is wanted, made of another one by minimal edits: comments, order and layout
 * of what does not change stay. Undefined when it cannot be made so.
 */
export function rewriteText(
  text: string,
  wanted: JsonObject,
  format: SpecFormat,
  newNameOf: NewNameOf = () => undefined,
): string | undefined {
  let made = text;
  for (let count = 0; count <= MAX_EDITS; count += 1) {
    const { value } = parseWholeText(made, format);
    if (value === undefined) return undefined;
    const edit = nextEdit(value, wanted, [], newNameOf);
    if (edit === undefined) return made;
    const next = edited(made, edit, wanted, format);
    if (next === undefined || next === made) return undefined;
    made = next;
  }
  return undefined;
}
