import { isObject, type JsonObject } from '../../kernel/json.ts';
import { editsBetween } from '../../spec/edit/edits-between.ts';
import {
  embedWorkflow,
  hasProgram,
  standsForMissing,
  waitsForPerson,
} from '../../spec/edit/embed-workflow.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { mapAt, type StepPlace, stepsOf } from './draft-steps.ts';
import type { CalledDraft, Fix, FixCase } from './fix-types.ts';

/** What the function of a call that found no workflow is called. */
const NOT_THERE = /^(?:imported\.|n8n\.executeWorkflow$)/;

function isMissing(document: JsonObject, { kind, ref }: StepPlace): boolean {
  const functions = mapAt(document, ['components', 'functions']);
  if (kind === 'function') {
    const own = functions?.[ref];
    const made = isObject(own) ? own['implementation'] : undefined;
    return typeof made === 'string' && NOT_THERE.test(made);
  }
  const inside = stepsOf(document).filter(
    ({ workflow }) => workflow.length === 3 && workflow[2] === ref,
  );
  // A workflow that was put in may consist of code that is missing; its functions have other names.
  return (
    kind === 'workflow' &&
    inside.every(
      (step) => step.kind === 'function' && standsForMissing(step.ref, functions?.[step.ref]),
    )
  );
}

/** The step that runs a workflow which was not there when its source was imported. */
function callIn({ document, target, element }: FixCase): StepPlace | undefined {
  return target.kind === 'subworkflow'
    ? element.steps.find((step) => step.path[0] === 'workflow' && isMissing(document, step))
    : undefined;
}

function reasonAgainst(spec: JsonObject, { name }: CalledDraft): string | undefined {
  if (waitsForPerson(spec)) return `"${name}" waits for a person, which a nested workflow cannot.`;
  return hasProgram(spec) ? undefined : `"${name}" has no steps.`;
}

/** The workflow that a step runs was imported after it: its draft becomes a part of this one. */
export const BY_DRAFT: Fix = {
  id: 'by_draft',
  form(fixCase) {
    const called = fixCase.target.called ?? [];
    const [first] = called;
    if (first === undefined || callIn(fixCase) === undefined) return undefined;
    const held =
      called.length === 1 && first.blocking > 0
        ? ` It has ${first.blocking} blocking gaps of its own, which come along.`
        : '';
    return {
      title: 'Put the imported workflow in',
      about: `The draft gets a copy of the workflow that the step runs, as a component workflow. Change both when one changes.${held}`,
      fields: [
        {
          name: 'draft',
          label: 'Workflow',
          help: 'A draft of this project',
          initial: first.ref,
          kind: 'choice',
          choices: called.map(({ ref, name }) => ({ value: ref, label: name })),
        },
      ],
    };
  },
  edits(fixCase, values) {
    const step = callIn(fixCase);
    const draft = fixCase.target.called?.find(({ ref }) => ref === values['draft']);
    if (step === undefined || draft === undefined) return 'Choose the workflow that the step runs.';
    const spec = parseSpecText(draft.text, formatOfFile(draft.ref)).value;
    if (spec === undefined) return `"${draft.name}" cannot be read as a draft.`;
    return (
      reasonAgainst(spec, draft) ??
      editsBetween(fixCase.document, embedWorkflow(fixCase.document, step.ref, spec))
    );
  },
};
