import type { JsonObject } from '../../kernel/json.ts';
import { editText } from '../../spec/edit/edit-text.ts';
import type { DocumentEdit } from '../../spec/edit/edit-value.ts';
import { applyEdits, type TextEdit } from '../../spec/edit/text-edit.ts';
import { openDocument } from '../../spec/language/open-document.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { elementNamed, type StepPlace, stepsOf, valueAt } from './draft-steps.ts';
import { FIXES } from './fix-table.ts';
import type {
  DraftText,
  FixCase,
  FixField,
  FixOffer,
  FixRequest,
  FixResult,
  FixTarget,
} from './fix-types.ts';

/** The edits that fit the gaps, the most direct first; an edit for one place only needs one gap. */
export function fixOffers(
  { text, file }: DraftText,
  targets: readonly FixTarget[],
): readonly FixOffer[] {
  const document = parseSpecText(text, formatOfFile(file)).value;
  return document === undefined ? [] : offersIn(document, stepsOf(document), targets);
}

/** The edits that fit each gap for itself, by its id; the draft is read once. */
export function offersForEach(
  { text, file }: DraftText,
  targets: readonly FixTarget[],
): ReadonlyMap<string, readonly FixOffer[]> {
  const document = parseSpecText(text, formatOfFile(file)).value;
  if (document === undefined) {
    return new Map();
  }
  const steps = stepsOf(document);
  return new Map(targets.map((target) => [target.gap_id, offersIn(document, steps, [target])]));
}

const NO_EFFECT = 'Nothing of it is in the way of an export.';

function offersIn(
  document: JsonObject,
  steps: readonly StepPlace[],
  targets: readonly FixTarget[],
): readonly FixOffer[] {
  return FIXES.filter(({ single }) => single !== true || targets.length === 1).flatMap((fix) => {
    const fitting = targets.flatMap((target) => {
      const form = fix.form(caseOf(document, target, steps));
      return form === undefined ? [] : [{ target, form }];
    });
    const [first] = fitting;
    if (first === undefined) {
      return [];
    }
    const { title, about, fields } = first.form;
    const shared = targets.length === 1 ? fields : fields.map((field) => blank(field));
    return [
      {
        ...{ id: fix.id, title, about, portability: fix.portability ?? NO_EFFECT },
        ...{ fields: shared, gap_ids: fitting.map((f) => f.target.gap_id) },
      },
    ];
  });
}

function caseOf(document: JsonObject, target: FixTarget, steps: readonly StepPlace[]): FixCase {
  return {
    document,
    target,
    element: elementNamed(document, target.name, steps),
    hosts: (target.hosts ?? []).map((name) => elementNamed(document, name, steps)),
  };
}

/**
 * The edits that fit gaps of several drafts at once: none that is about one place only, and nothing
 * proposed that one element's name stands in.
 */
export function sharedOffers(draft: DraftText, targets: readonly FixTarget[]): readonly FixOffer[] {
  const single = new Set(FIXES.flatMap((fix) => (fix.single === true ? [fix.id] : [])));
  return fixOffers(draft, targets)
    .filter(({ id }) => !single.has(id))
    .map((offer) => ({ ...offer, fields: offer.fields.map(blank) }));
}

/** A value that is proposed for one element is not proposed for several. */
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
  const fixCase = caseOf(document, target, stepsOf(document));
  if (fix.form(fixCase) === undefined) {
    return { text, reason: 'The draft has changed here: the edit no longer fits.' };
  }
  const edits = fix.edits(fixCase, request.values);
  return typeof edits === 'string' ? { text, reason: edits } : make(text, file, edits);
}

function errorsIn({ text, file }: DraftText): readonly string[] {
  return openDocument(text, formatOfFile(file))
    .validation()
    .diagnostics.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
}

const PLAIN = /^[A-Za-z_]\w*(?:\.\w+)+$/;

/**
 * The text with plain names written over existing values, all in one reading; undefined when one of
 * the edits is of another sort. It is checked by reading it back.
 */
function setNames(whole: DraftText, edits: readonly DocumentEdit[]): string | undefined {
  const format = formatOfFile(whole.file);
  const { source } = parseSpecText(whole.text, format);
  const changes = new Map<number, TextEdit>();
  for (const edit of edits) {
    const node = source.find(edit.path)?.node;
    const plain = edit.op === 'set' && typeof edit.value === 'string' && PLAIN.test(edit.value);
    if (!plain || node?.kind !== 'scalar' || node.start === node.end) {
      return undefined;
    }
    const { start, end } = node;
    changes.set(start, {
      start,
      end,
      text: format === 'json' ? `"${edit.value}"` : `${edit.value}`,
    });
  }
  const text = applyEdits(whole.text, [...changes.values()]);
  const { value } = parseSpecText(text, format);
  const says = edits.every(
    (edit) => edit.op === 'set' && value !== undefined && valueAt(value, edit.path) === edit.value,
  );
  return says ? text : undefined;
}

/** All edits at once, where each of them only writes a name; undefined where one does not. */
function answerAll(whole: DraftText, request: FixRequest): FixResult | undefined {
  const fix = FIXES.find(({ id }) => id === request.fix);
  const document = parseSpecText(whole.text, formatOfFile(whole.file)).value;
  if (fix === undefined || document === undefined) {
    return undefined;
  }
  const steps = stepsOf(document);
  const edits: DocumentEdit[] = [];
  for (const target of request.targets) {
    const fixCase = caseOf(document, target, steps);
    const own = fix.form(fixCase) === undefined ? [] : fix.edits(fixCase, request.values);
    if (typeof own === 'string' || own.length === 0) {
      return undefined;
    }
    edits.push(...own);
  }
  const text = setNames(whole, edits);
  return text === undefined ? undefined : resultOf(whole, text, request.targets, []);
}

function resultOf(
  whole: DraftText,
  text: string,
  done: readonly FixTarget[],
  refused: FixResult['refused'],
): FixResult {
  const before = errorsIn(whole);
  const after = text === whole.text ? before : errorsIn({ text, file: whole.file });
  return {
    text,
    done: done.map(({ gap_id }) => gap_id),
    refused,
    errorsBefore: before.length,
    errorsAfter: after.length,
    newError: after.find((message) => !before.includes(message)) ?? null,
  };
}

const MOST_AT_ONCE = 60;
const LEAST_AT_ONCE = 5;
const MOST_CHARACTERS = 4_000_000;

/** How many gaps are edited at once when each edit needs its own reading of the text. */
function mostAtOnce(text: string): number {
  const fitting = Math.floor(MOST_CHARACTERS / Math.max(1, text.length));
  return Math.max(LEAST_AT_ONCE, Math.min(MOST_AT_ONCE, fitting));
}

/** Makes the edits, each a minimal change of the text; nothing is stored. */
export function applyFix(whole: DraftText, request: FixRequest): FixResult {
  const all = answerAll(whole, request);
  if (all !== undefined) {
    return all;
  }
  let { text } = whole;
  const most = mostAtOnce(text);
  const done: FixTarget[] = [];
  const refused: { gap_id: string; reason: string }[] = [];
  for (const [index, target] of request.targets.entries()) {
    const outcome =
      index < most
        ? answer(text, whole.file, target, request)
        : { text, reason: `This edit is made for ${most} gaps at once.` };
    text = outcome.text;
    if (outcome.reason === undefined) {
      done.push(target);
    } else {
      refused.push({ gap_id: target.gap_id, reason: outcome.reason });
      // Wrong values are wrong for every gap, so the first one tells.
      if (index === 0 && text === whole.text && request.targets.length > most) break;
    }
  }
  return resultOf(whole, text, done, refused);
}
