import { isJsonObject, type JsonObject } from '../../../kernel/json.ts';
import { sameJson } from '../../../kernel/same-json.ts';
import { parseSpecText, type SpecFormat } from '../../yaml/parse-yaml.ts';
import { composeEdits } from '../compose-edits.ts';
import { editText } from '../edit-text.ts';
import { editValue } from '../edit-value.ts';
import { applyEdits, type TextEdit } from '../text-edit.ts';
import { carriedEdits, linesOf, markedValue } from './carry-text.ts';
import { countComments } from './count-comments.ts';
import { type Plan, type PlannedEdit, refused } from './operation.ts';

const UNFIT =
  'The text around it is written in a way that this change does not fit. Change it in the text.';
const SHARED =
  'This place is written with an anchor or a merge that other places share. Change it in the text.';
const COMMENTS = 'A comment in the text would be lost by it. Change it in the text.';

/** The carrying variant of a change; undefined where the text does not let it. */
function carrying(text: string, edit: PlannedEdit, format: SpecFormat): TextEdit[] | undefined {
  if (format === 'json') return undefined;
  const { root } = parseSpecText(text, format).source;
  if (root === undefined) return undefined;
  if (edit.op === 'delete' && edit.along === true) {
    const lines = linesOf(text, root, edit.path);
    const plain = editText(text, edit, format);
    // Of a collection that would be empty, something is written in its place.
    return lines === undefined || plain?.some((one) => one.text !== '') !== false
      ? undefined
      : [{ start: lines.start, end: lines.end, text: '' }];
  }
  if (edit.op !== 'set' || edit.carries === undefined || !isJsonObject(edit.value))
    return undefined;
  const marked = { ...edit, value: markedValue(edit.value, edit.carries) };
  const edits = editText(text, marked, format);
  return edits && carriedEdits(text, root, edits, edit.carries);
}

/** The steps of a plan on a text, each as edits of the text before it; undefined where one does not fit. */
function stepsOf(
  text: string,
  edits: readonly PlannedEdit[],
  format: SpecFormat,
  carry: boolean,
): { steps: TextEdit[][]; text: string } | undefined {
  const steps: TextEdit[][] = [];
  let now = text;
  for (const edit of edits) {
    const made = (carry ? carrying(now, edit, format) : undefined) ?? editText(now, edit, format);
    if (made === undefined) return undefined;
    steps.push(made);
    now = applyEdits(now, made);
  }
  return { steps, text: now };
}

/** The edits that make a plan in a text, checked by reading the result; or why they cannot be. */
export function applyPlan(
  text: string,
  format: SpecFormat,
  plan: Exclude<Plan, { problem: string }>,
): { readonly edits: TextEdit[] } | { readonly problem: string } {
  const before = parseSpecText(text, format);
  const told = countComments(text, before.source.root);
  const wanted = plan.edits.reduce<JsonObject | undefined>(
    (value, edit) => value && editValue(value, edit),
    before.value,
  );
  if (wanted === undefined) return refused(UNFIT);
  const carries = plan.edits.some((edit) => edit.carries !== undefined);
  let problem = UNFIT;
  for (const carry of carries ? [true, false] : [false]) {
    const made = stepsOf(text, plan.edits, format, carry);
    if (made === undefined) continue;
    const { value, source } = parseSpecText(made.text, format);
    const lost = plan.moves === true && countComments(made.text, source.root) < told;
    if (value === undefined || !sameJson(value, wanted)) problem = SHARED;
    else if (lost) problem = COMMENTS;
    else return { edits: composeEdits(text, made.steps) };
  }
  return refused(problem);
}
