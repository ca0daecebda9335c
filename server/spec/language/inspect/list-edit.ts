import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { valueAt } from '../../edit/edit-text.ts';
import { refused } from '../../edit/graph/operation.ts';
import { lineAddresses, stepAddresses } from '../../edit/graph/workflow-at.ts';
import type { BlockName } from '../../schema/field-help.ts';
import { BLOCKS } from '../../schema/help.ts';
import { formatPath, type Path } from '../../values/path.ts';
import { isSameName } from '../definition.ts';
import { graphEdit } from '../graph-edit.ts';
import { schemaAt } from '../locate.ts';
import { namesReferred } from '../name-index.ts';
import type { OpenDocument } from '../open-document.ts';
import type { ListEdit } from './form.ts';

/** A change of a list as the document or its drawing has it; or why there is none. */
export type ListChange =
  | { readonly made: ReturnType<typeof graphEdit> }
  | { readonly problem: string }
  | {
      readonly edit:
        | { readonly op: 'insert'; readonly path: Path; readonly value: Json }
        | { readonly op: 'delete'; readonly path: Path }
        | { readonly op: 'move'; readonly path: Path; readonly to: number };
    }
  /** The last item of a list that may stay away. */
  | { readonly clear: Path };

/** The n-th text of what is taken that is free: `step`, `step-2`, … */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const made = count === 1 ? name : `${name}-${count}`;
    if (!taken.has(made)) return made;
  }
}

function idsOf(list: Json): ReadonlySet<string> {
  const items = Array.isArray(list) ? list : [];
  return new Set(
    items.flatMap((item) => {
      const id = isJsonObject(item) ? item['id'] : item;
      return typeof id === 'string' ? [id] : [];
    }),
  );
}

/** A new item with its required fields: a free name, the first of what each may be. */
function newItem(document: OpenDocument, block: BlockName, list: Json, path: Path): JsonObject {
  const made: JsonObject = {};
  for (const [key, field] of Object.entries(BLOCKS[block].fields)) {
    if (field.required !== true || field.holds !== undefined) continue;
    const holder = { kind: 'map', entries: [], merged: [], flow: false, start: 0, end: 0 } as const;
    const names =
      field.refers === undefined
        ? []
        : namesReferred(document.names(), field.refers, holder, [...path, key]);
    const first = field.values?.[0] ?? names[0]?.name ?? block;
    made[key] = key === 'id' ? freeName(block, idsOf(list)) : first;
  }
  return made;
}

function added(document: OpenDocument, value: Json, path: Path): ListChange {
  const list = valueAt(value, path);
  const length = Array.isArray(list) ? list.length : 0;
  const { block } = schemaAt(document.source.root, [...path, length]);
  if (block === null) return refused('Items of this list are added in the text.');
  const at = [...path, length];
  return { edit: { op: 'insert', path: at, value: newItem(document, block, list, at) } };
}

/** How often the entry of a name is used; null for an entry that is none. */
function usesOf(document: OpenDocument, path: Path): { name: string; count: number } | null {
  const names = document.names();
  const place = formatPath(path);
  const own = names.find((one) => one.declares && formatPath(one.path) === place);
  if (own === undefined) return null;
  const uses = names.filter((one) => !one.declares && isSameName(one, own));
  return { name: own.name, count: uses.length };
}

const INCOMPLETE = 'The text is no complete spec now. Mend it first; the findings are in Problems.';

/** True for a step or an edge of a text that cannot be read as a spec: what names it is not known. */
function isUnread(document: OpenDocument, path: Path): boolean {
  const { block } = schemaAt(document.source.root, path);
  return document.validation().spec === undefined && (block === 'step' || block === 'edge');
}

function removed(document: OpenDocument, value: Json, path: Path): ListChange {
  if (isUnread(document, path)) return refused(INCOMPLETE);
  const { spec } = document.validation();
  const place = formatPath(path);
  const step = spec && stepAddresses(spec).get(place);
  if (step !== undefined) return { made: graphEdit(document, { op: 'delete_step', at: step }) };
  const line = spec && lineAddresses(spec).get(place);
  if (line !== undefined && 'edge' in line) {
    return { made: graphEdit(document, { op: 'delete_line', line }) };
  }
  const uses = usesOf(document, path);
  if (uses !== null && uses.count > 0) {
    const times = uses.count === 1 ? 'one place' : `${uses.count} places`;
    return refused(`"${uses.name}" is used in ${times}. Change that first.`);
  }
  const holder = path.slice(0, -1);
  const held = valueAt(value, holder);
  const { field } = schemaAt(document.source.root, holder);
  const last = Array.isArray(held) && held.length === 1 && field?.required !== true;
  return last ? { clear: holder } : { edit: { op: 'delete', path } };
}

function moved(document: OpenDocument, path: Path, to: number): ListChange {
  if (isUnread(document, path)) return refused(INCOMPLETE);
  const { spec } = document.validation();
  const step = spec && stepAddresses(spec).get(formatPath(path));
  const from = path.at(-1);
  if (typeof from !== 'number') return refused('The order of these has no meaning.');
  return step === undefined
    ? { edit: { op: 'move', path, to } }
    : { made: graphEdit(document, { op: 'move_step', at: step, by: to - from }) };
}

/** What a change of a list means for its document: steps and edges change as the drawing changes them. */
export function listChange(document: OpenDocument, value: Json, edit: ListEdit): ListChange {
  switch (edit.op) {
    case 'add':
      return added(document, value, edit.path);
    case 'insert':
      return { edit };
    case 'remove':
      return removed(document, value, edit.path);
    case 'move':
      return moved(document, edit.path, edit.to);
  }
}
