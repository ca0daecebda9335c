import { isJsonObject, type Json } from '../../../kernel/json.ts';
import { valueAt } from '../../edit/edit-text.ts';
import { childOf } from '../../edit/edit-value.ts';
import { applyPlan } from '../../edit/graph/apply-plan.ts';
import { type PlannedEdit, refused } from '../../edit/graph/operation.ts';
import { stepAddresses } from '../../edit/graph/workflow-at.ts';
import type { TextEdit } from '../../edit/text-edit.ts';
import { formatPath, type Path } from '../../values/path.ts';
import { graphEdit } from '../graph-edit.ts';
import { schemaAt } from '../locate.ts';
import type { OpenDocument } from '../open-document.ts';
import { renameAt } from '../rename.ts';
import type { FormEdit, ListEdit } from './form.ts';
import { isElsewhere } from './form-fields.ts';
import { stepInFull } from './inspect.ts';
import { listChange } from './list-edit.ts';

/** The edits of a change that a form makes, or why there are none. */
export type FormEdited =
  | {
      readonly edits: readonly TextEdit[];
      /** The element that was renamed or is new; null where its place is as it was. */
      readonly path: Path | null;
    }
  | { readonly problem: string };

const FAULTY = 'The text cannot be read now. Mend it first; the findings are in Problems.';
const BEHIND =
  'This is written elsewhere in the text, behind an alias. Change it there, in the text.';

/** True when the field may stay away as a whole once it is empty. */
function isOptional(document: OpenDocument, path: Path): boolean {
  const { field, inside } = schemaAt(document.source.root, path);
  return field?.block !== undefined && !inside && field.required !== true;
}

/** The deletions that clear a field, the widest first: a group that would be empty goes with its last field. */
function clearing(document: OpenDocument, value: Json, path: Path): PlannedEdit[] {
  const holder = path.slice(0, -1);
  const held = valueAt(value, holder);
  const last = isJsonObject(held) && Object.keys(held).length === 1;
  const own: PlannedEdit = { op: 'delete', path };
  return last && isOptional(document, holder) ? [...clearing(document, value, holder), own] : [own];
}

/** The change of the document; a step that is the bare name of its agent is written out. */
function setting(value: Json, path: Path, wanted: Json): PlannedEdit {
  const holder = path.slice(0, -1);
  const held = valueAt(value, holder);
  const key = path.at(-1);
  const full = stepInFull(held);
  return typeof held === 'string' && isJsonObject(full) && typeof key === 'string'
    ? { op: 'set', path: holder, value: { ...full, [key]: wanted } }
    : { op: 'set', path, value: wanted };
}

function renamed(document: OpenDocument, path: Path, name: string): FormEdited {
  const { spec } = document.validation();
  const step = spec && stepAddresses(spec).get(formatPath(path));
  const { source } = document;
  const spot = typeof path.at(-1) === 'string' ? source.find(path)?.key : undefined;
  const offset = (spot ?? source.find([...path, 'id'])?.value)?.start.offset;
  const made =
    step !== undefined
      ? graphEdit(document, { op: 'rename_step', at: step, name })
      : offset === undefined
        ? refused('There is no name to change here.')
        : renameAt(document, offset, name);
  if ('problem' in made) return made;
  const moved = typeof path.at(-1) === 'string' ? [...path.slice(0, -1), name] : null;
  return { edits: made.edits, path: moved };
}

/** The first of several ways to make a change that the text takes. */
function firstMade({ text, format }: OpenDocument, tries: readonly PlannedEdit[]): FormEdited {
  let problem = '';
  for (const [index, one] of tries.entries()) {
    // A group goes as a whole only where no comment is lost by it.
    const moves = index < tries.length - 1;
    const plan = { edits: [one], notes: [], select: null, moves };
    const made = applyPlan(text, format, plan);
    if ('edits' in made) return { edits: made.edits, path: null };
    problem = made.problem;
  }
  return refused(problem);
}

function inList(document: OpenDocument, value: Json, edit: ListEdit): FormEdited {
  const holder = edit.op === 'add' ? edit.path : edit.path.slice(0, -1);
  if (isElsewhere(document, holder)) return refused(BEHIND);
  const change = listChange(document, value, edit);
  if ('problem' in change) return change;
  if ('clear' in change) return firstMade(document, clearing(document, value, change.clear));
  if ('made' in change) {
    return 'problem' in change.made ? change.made : { edits: change.made.edits, path: null };
  }
  const made = firstMade(document, [change.edit]);
  return 'problem' in made || edit.op !== 'add' ? made : { ...made, path: change.edit.path };
}

/** True for a change of a list. */
function isListEdit(edit: FormEdit): edit is ListEdit {
  return edit.op === 'add' || edit.op === 'insert' || edit.op === 'remove' || edit.op === 'move';
}

/**
 * Makes a change of a form in its text: the smallest edits, every other byte as it is; the result
 * was read back and says exactly what was asked for. What stands behind an alias is refused, and so
 * is what would change other places too.
 */
export function formEdit(document: OpenDocument, edit: FormEdit): FormEdited {
  const { value } = document.parsed;
  if (value === undefined) return refused(FAULTY);
  const { path } = edit;
  if (isListEdit(edit)) return inList(document, value, edit);
  if (edit.op === 'rename') return renamed(document, path, edit.name);
  if (isElsewhere(document, path.slice(0, -1))) return refused(BEHIND);
  if (edit.op === 'set' && path.at(-1) === 'id') {
    const step = path.slice(0, -1);
    const { block } = schemaAt(document.source.root, step);
    const known = document.source.find(step)?.node.kind === 'map' && block === 'step';
    const hadId = childOf(valueAt(value, step), 'id') !== undefined;
    if (known && hadId && typeof step.at(-1) === 'number' && typeof edit.value === 'string') {
      return renamed(document, step, edit.value);
    }
  }
  const tries =
    edit.op === 'set' ? [setting(value, path, edit.value)] : clearing(document, value, path);
  return firstMade(document, tries);
}
