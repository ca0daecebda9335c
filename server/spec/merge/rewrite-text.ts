import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import { editManyPlaces, editText, valueAt } from '../edit/edit-text.ts';
import type { DocumentEdit } from '../edit/edit-value.ts';
import { applyEdits } from '../edit/text-edit.ts';
import type { Path } from '../values/path.ts';
import { type ParsedDocument, parseWholeText, type SpecFormat } from '../yaml/parse-yaml.ts';
import { keysLikeEarlier, keysOfItems } from './list-identity.ts';

/** The new name of an entry that only gets another one; `holder` is its mapping. */
export type NewNameOf = (holder: Path, key: string) => string | undefined;

/** Collects what leads from one value to another: of a list only the first item that comes, goes or moves. */
class Changes {
  readonly edits: DocumentEdit[] = [];
  readonly #newNameOf: NewNameOf;

  constructor(newNameOf: NewNameOf) {
    this.#newNameOf = newNameOf;
  }

  /** Entries that only get another key; gives the keys on both sides that are settled by it. */
  #renames(gone: readonly string[], from: JsonObject, to: JsonObject, path: Path): Set<string> {
    const settled = new Set<string>();
    for (const key of gone) {
      const name = this.#newNameOf(path, key);
      if (name === undefined || !Object.hasOwn(to, name) || Object.hasOwn(from, name)) continue;
      this.edits.push({ op: 'rename', path: [...path, key], key: name });
      settled.add(key).add(name);
    }
    return settled;
  }

  #ofMap(from: JsonObject, to: JsonObject, path: Path): void {
    const gone = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
    const settled = this.#renames(gone, from, to, path);
    for (const [key, value] of Object.entries(to)) {
      const at = [...path, key];
      if (settled.has(key)) continue;
      if (Object.hasOwn(from, key)) this.between(from[key] ?? null, value, at);
      else this.edits.push({ op: 'set', path: at, value });
    }
    for (const key of gone) {
      if (!settled.has(key)) this.edits.push({ op: 'delete', path: [...path, key] });
    }
  }

  #ofList(from: readonly Json[], to: Json[], path: Path): void {
    const keys = keysOfItems(from);
    const wanted = keysLikeEarlier(from, to);
    const left = new Set(wanted);
    if (!keys.some((key) => left.has(key))) {
      this.edits.push({ op: 'set', path, value: to });
      return;
    }
    const gone = keys.findLastIndex((key) => !left.has(key));
    if (gone >= 0) {
      this.edits.push({ op: 'delete', path: [...path, gone] });
      return;
    }
    for (const [index, key] of wanted.entries()) {
      const value = to[index] ?? null;
      const at = keys.indexOf(key);
      if (at === index) this.between(from[index] ?? null, value, [...path, index]);
      else {
        if (at < 0) this.edits.push({ op: 'insert', path: [...path, index], value });
        else this.edits.push({ op: 'move', path: [...path, at], to: index });
        return;
      }
    }
  }

  between(from: Json, to: Json, path: Path): void {
    if (sameJson(from, to)) return;
    if (isJsonObject(from) && isJsonObject(to)) this.#ofMap(from, to, path);
    else if (Array.isArray(from) && Array.isArray(to)) this.#ofList(from, to, path);
    else this.edits.push({ op: 'set', path, value: to });
  }
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
    const wider = editText(text, { op: 'set', path, value: valueAt(wanted, path) }, format);
    if (wider !== undefined) return applyEdits(text, wider);
  }
  return undefined;
}

interface Look {
  readonly text: string;
  readonly parsed: ParsedDocument;
  /** What leads from it to what is wanted. */
  readonly edits: readonly DocumentEdit[];
}

/** The text with all changes at once; undefined when it is no nearer to what is wanted then. */
function allAtOnce(
  { text, parsed, edits }: Look,
  format: SpecFormat,
  lookAt: (text: string) => Look,
): Look | undefined {
  const many = edits.length > 1 ? editManyPlaces(parsed, edits, format) : undefined;
  if (many === undefined) return undefined;
  const next = lookAt(applyEdits(text, many));
  return next.parsed.value !== undefined && next.edits.length < edits.length ? next : undefined;
}

/** So often a text is read again: one change may take more than one round. */
const MAX_ROUNDS = 2000;

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
  const lookAt = (made: string): Look => {
    const parsed = parseWholeText(made, format);
    const changes = new Changes(newNameOf);
    if (parsed.value !== undefined) changes.between(parsed.value, wanted, []);
    return { text: made, parsed, edits: changes.edits };
  };
  let now = lookAt(text);
  for (let round = 0; round < MAX_ROUNDS && now.parsed.value !== undefined; round += 1) {
    const [first] = now.edits;
    if (first === undefined) return now.text;
    const many = allAtOnce(now, format, lookAt);
    const one = many === undefined ? edited(now.text, first, wanted, format) : many.text;
    if (one === undefined || one === now.text) return undefined;
    now = many ?? lookAt(one);
  }
  return undefined;
}
