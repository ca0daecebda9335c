import { isObject, type JsonObject } from '../../kernel/json.ts';
import { applyPlan } from '../edit/graph/apply-plan.ts';
import { type GraphOperation, refused, type StepAddress } from '../edit/graph/operation.ts';
import { planGraphEdit } from '../edit/graph/plan-graph-edit.ts';
import { pathOfWorkflow, stepAt } from '../edit/graph/workflow-at.ts';
import { applyEdits, type TextEdit } from '../edit/text-edit.ts';
import type { Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import type { Path } from '../values/path.ts';
import { type OpenDocument, openDocument } from './open-document.ts';
import { renameAt } from './rename.ts';

/** The edits that make an operation of the drawing in its text, or why there are none. */
export type GraphEdit =
  | {
      readonly edits: readonly TextEdit[];
      /** What else the author should know, new warnings included. */
      readonly notes: readonly string[];
      readonly select: StepAddress | null;
    }
  | { readonly problem: string };

interface Editable {
  readonly spec: Spec;
  readonly value: JsonObject;
}

/** The spec of a text whose drawing can be edited; or why it cannot be now. */
function editable(document: OpenDocument): Editable | { readonly problem: string } {
  const { value, problems } = document.parsed;
  if (value === undefined || problems.length > 0) {
    return refused('The text cannot be read now. Mend it first; the findings are in Problems.');
  }
  if (value['version'] !== 'v1') {
    return refused('The text is in an older version of the language. Bring it to v1 first.');
  }
  const { spec } = document.validation();
  if (spec === undefined) {
    return refused(
      'The text is no complete spec now. Mend it first; the findings are in Problems.',
    );
  }
  return spec.workflow === null
    ? refused(
        'The spec has no workflow: its root agent answers alone. Write one in the text first.',
      )
    : { spec, value };
}

/** Why the drawing of a text cannot be edited now; undefined when it can. */
export function graphEditFault(document: OpenDocument): string | undefined {
  const found = editable(document);
  return 'problem' in found ? found.problem : undefined;
}

function keyed({ code, message }: Diagnostic): string {
  return `${code}\n${message}`;
}

/** Findings of the second list that the first one lacks. */
function newFindings(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
  const left = Map.groupBy(before, keyed);
  return after.filter((finding) => left.get(keyed(finding))?.pop() === undefined);
}

/** Where the name of a step stands in a text that is a spec; undefined where there is no such step. */
export function stepNameOffset(document: OpenDocument, at: StepAddress): number | undefined {
  const { spec } = document.validation();
  return spec && nameOffset(document, spec, at);
}

/** Where the name of a step stands: its key in a graph, its id, or the bare name of its agent. */
function nameOffset(document: OpenDocument, spec: Spec, at: StepAddress): number | undefined {
  const place = stepAt(spec, at)?.at;
  if (place === undefined) return undefined;
  const path: Path = [...place.holder, at.step];
  const spot = document.source.find(path);
  if (typeof at.step === 'string') return spot?.key?.start.offset;
  return (document.source.find([...path, 'id']) ?? spot)?.value.start.offset;
}

const FLOW_RENAME =
  'Settings and expressions of an imported item flow call this step by its key. Rename it in the text, with all that names it.';

function renameStep(
  document: OpenDocument,
  spec: Spec,
  { at, name }: Extract<GraphOperation, { op: 'rename_step' }>,
): GraphEdit {
  const offset = nameOffset(document, spec, at);
  if (offset === undefined) return refused('This step is not in the text any more.');
  if (at.workflow === null && isObject(spec.metadata?.['flow'])) return refused(FLOW_RENAME);
  const renamed = renameAt(document, offset, name);
  const step = typeof at.step === 'string' ? name : at.step;
  return 'problem' in renamed
    ? renamed
    : { edits: renamed.edits, notes: [], select: { ...at, step } };
}

function workflowsOf(operation: GraphOperation): readonly (string | null)[] {
  switch (operation.op) {
    case 'add_step':
      return [operation.workflow];
    case 'connect':
      return [operation.from.workflow];
    case 'retarget':
    case 'set_condition':
    case 'delete_line':
    case 'set_fallback':
      return [operation.line.workflow];
    case 'wrap':
      return operation.steps.map(({ workflow }) => workflow);
    default:
      return [operation.at.workflow];
  }
}

function editsOf(
  document: OpenDocument,
  { spec, value }: Editable,
  operation: GraphOperation,
): GraphEdit {
  if (operation.op === 'rename_step') return renameStep(document, spec, operation);
  const elsewhere = workflowsOf(operation).some(
    (name) => document.source.find(pathOfWorkflow(name))?.node.kind === 'alias',
  );
  if (elsewhere) {
    return refused(
      'The workflow is written elsewhere in the text, behind an alias. Change it there.',
    );
  }
  const plan = planGraphEdit(spec, value, operation);
  if ('problem' in plan) return plan;
  const made = applyPlan(document.text, document.format, plan);
  return 'problem' in made ? made : { ...made, notes: plan.notes, select: plan.select };
}

/**
 * Makes an operation of the drawing in its text: minimal edits, all other bytes as they are. What
 * the language cannot say is refused, and so is what would bring a new error; new warnings are told.
 */
export function graphEdit(document: OpenDocument, operation: GraphOperation): GraphEdit {
  const found = editable(document);
  if ('problem' in found) return found;
  const made = editsOf(document, found, operation);
  if ('problem' in made) return made;
  const after = openDocument(applyEdits(document.text, made.edits), document.format, document);
  const fresh = newFindings(document.findings(), after.findings());
  const error = fresh.find(({ severity }) => severity === 'error');
  if (error !== undefined) return refused(error.message);
  return { ...made, notes: [...made.notes, ...fresh.map(({ message }) => message)] };
}
