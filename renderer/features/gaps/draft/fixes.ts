import type { JsonObject } from '../../../../server/kernel/json.ts';
import { editText } from '../../../../server/spec/edit/edit-text.ts';
import type { DocumentEdit } from '../../../../server/spec/edit/edit-value.ts';
import { openDocument } from '../../../../server/spec/open-document.ts';
import { formatOfFile, parseSpecText } from '../../../../server/spec/parse-yaml.ts';
import { applyEdits } from '../../../../server/spec/text-edit.ts';
import type { DraftText } from './draft-protocol.ts';
import { elementNamed } from './draft-steps.ts';
import { FIXES } from './fix-table.ts';
import type { FixField, FixOffer, FixRequest, FixResult, FixTarget } from './fix-types.ts';

/** The edits that fit the gaps, the most direct first; an edit for one place only needs one gap. */
export function fixOffers(
  { text, file }: DraftText,
  targets: readonly FixTarget[],
): readonly FixOffer[] {
  const document = parseSpecText(text, formatOfFile(file)).value;
  if (document === undefined) {
    return [];
  }
  return FIXES.filter(({ single }) => single !== true || targets.length === 1).flatMap((fix) => {
    const fitting = targets.flatMap((target) => {
      const element = elementNamed(document, target.name);
      const form = fix.form({ document, target, element });
      return form === undefined ? [] : [{ target, form }];
    });
    const [first] = fitting;
    if (first === undefined) {
      return [];
    }
    const { title, about, fields } = first.form;
    const shared = targets.length === 1 ? fields : fields.map((field) => blank(field));
    return [
      { id: fix.id, title, about, fields: shared, gap_ids: fitting.map((f) => f.target.gap_id) },
    ];
  });
}

/** What one element proposes for itself is not proposed for all. */
function blank(field: FixField): FixField {
  return field.kind === 'text' || field.kind === 'long_text' ? { ...field, initial: '' } : field;
}

interface Outcome {
  readonly text: string;
  readonly reason?: string;
}

function make(text: string, file: string, edits: readonly DocumentEdit[]): Outcome {
  let made = text;
  for (const edit of edits) {
    const changes = editText(made, edit, formatOfFile(file));
    if (changes === undefined) {
      return { text, reason: 'The edit does not fit the lines that are there now.' };
    }
    made = applyEdits(made, changes);
  }
  return { text: made };
}

function answer(text: string, file: string, target: FixTarget, request: FixRequest): Outcome {
  const fix = FIXES.find(({ id }) => id === request.fix);
  const document: JsonObject | undefined = parseSpecText(text, formatOfFile(file)).value;
  if (fix === undefined || document === undefined) {
    return { text, reason: 'The draft cannot be read. Mend it in the editor first.' };
  }
  const element = elementNamed(document, target.name);
  if (fix.form({ document, target, element }) === undefined) {
    return { text, reason: 'The draft has changed here: the edit no longer fits.' };
  }
  const edits = fix.edits({ document, target, element }, request.values);
  return typeof edits === 'string' ? { text, reason: edits } : make(text, file, edits);
}

function errorsIn({ text, file }: DraftText): readonly string[] {
  return openDocument(text, formatOfFile(file))
    .validation()
    .diagnostics.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
}

/** Makes the edits one after the other, each a minimal change of the text; nothing is stored. */
export function applyFix(whole: DraftText, request: FixRequest): FixResult {
  let { text } = whole;
  const done: string[] = [];
  const refused: { gap_id: string; reason: string }[] = [];
  for (const target of request.targets) {
    const outcome = answer(text, whole.file, target, request);
    text = outcome.text;
    if (outcome.reason === undefined) {
      done.push(target.gap_id);
    } else {
      refused.push({ gap_id: target.gap_id, reason: outcome.reason });
    }
  }
  const before = errorsIn(whole);
  const after = errorsIn({ text, file: whole.file });
  return {
    text,
    done,
    refused,
    errorsBefore: before.length,
    errorsAfter: after.length,
    newError: after.find((message) => !before.includes(message)) ?? null,
  };
}
