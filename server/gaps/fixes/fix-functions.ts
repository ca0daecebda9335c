import type { DocumentEdit } from '../../spec/edit/edit-value.ts';
import type { Path } from '../../spec/values/path.ts';
import { mapAt, type StepPlace, stepsOf, valueAt } from './draft-steps.ts';
import type { Fix, FixCase } from './fix-types.ts';

const FUNCTION_NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;

const STANDS_IN: ReadonlySet<string> = new Set([
  'proprietary_node',
  'expression',
  'tool_without_backing',
  'offered_tool_not_bound',
  'deterministic_tool',
  'unbounded_loop',
  'execution_setting',
  'inline_secret',
]);

const WHERE =
  'module.name. The file is yours to write: texts.tidy needs functions/texts.ts with the export tidy, in the project’s folder (the trust question in the status bar shows it), and that folder trusted. A run says so while it is missing; a spec that calls it runs only where the file is.';

function functionPath(name: string): Path {
  return ['components', 'functions', name];
}

/** The places that name the function which does the job of the element. */
function implementations({ document, element }: FixCase): readonly Path[] {
  return [
    ...element.steps.flatMap(({ kind, ref }) =>
      kind === 'function' ? [[...functionPath(ref), 'implementation']] : [],
    ),
    ...element.components.map((path) => [...path, 'implementation']),
    ...element.tools.map((name) => ['tools', name, 'implementation']),
  ].filter((path) => typeof valueAt(document, path) === 'string');
}

/** What code of the project does to an export. */
const OWN_CODE =
  'Code of this project blocks the export until the platform offers the function, or a bundle takes it along.';

export const NAME_FUNCTION: Fix = {
  id: 'name_function',
  portability: OWN_CODE,
  form(fixCase) {
    const [path] = implementations(fixCase);
    const initial = path === undefined ? undefined : valueAt(fixCase.document, path);
    if (!STANDS_IN.has(fixCase.target.kind) || typeof initial !== 'string') {
      return undefined;
    }
    return {
      title: 'Name the function that does it',
      about:
        'The draft calls this function in place of the element of the source. It is looked up in the project’s functions folder: texts.tidy is the export tidy of functions/texts.ts.',
      fields: [{ name: 'function', label: 'Function', help: WHERE, initial, kind: 'text' }],
    };
  },
  edits(fixCase, values) {
    const name = (values['function'] ?? '').trim();
    return FUNCTION_NAME.test(name)
      ? implementations(fixCase).map((path) => ({ op: 'set', path, value: name }))
      : 'Write the function as module.name, for example texts.tidy.';
  },
};

const TAKEN_OVER: ReadonlySet<string> = new Set(['proprietary_node', 'expression', 'subworkflow']);

/** Steps that stand for something the draft cannot do, and that another kind of step may take over. */
function placeholders({ target, element }: FixCase): readonly StepPlace[] {
  const stands = target.kind === 'subworkflow' ? ['workflow', 'function'] : ['function'];
  return TAKEN_OVER.has(target.kind)
    ? element.steps.filter(({ kind, path }) => stands.includes(kind) && path.length > 2)
    : [];
}

function freeName(fixCase: FixCase, place: Path, wanted: string): string {
  const taken = mapAt(fixCase.document, place) ?? {};
  let name = wanted;
  for (let number = 2; Object.hasOwn(taken, name); number += 1) {
    name = `${wanted}_${number}`;
  }
  return name;
}

const SECTIONS: Readonly<Record<string, string>> = {
  function: 'functions',
  workflow: 'workflows',
};

/** Removes the function or the component workflow of a step, when no other step runs it. */
export function dropFunction({ document }: FixCase, step: StepPlace): readonly DocumentEdit[] {
  const others = stepsOf(document).filter(
    ({ ref, path }) => ref === step.ref && path.join('\n') !== step.path.join('\n'),
  );
  const section = SECTIONS[step.kind];
  const own: Path = ['components', section ?? '', step.ref];
  return section !== undefined && others.length === 0 && mapAt(document, own) !== undefined
    ? [{ op: 'delete', path: own }]
    : [];
}

function takeOver(
  fixCase: FixCase,
  step: StepPlace,
  kind: 'human' | 'agent' | 'function',
  component: (name: string) => Extract<DocumentEdit, { op: 'set' }>['value'],
): readonly DocumentEdit[] {
  const place: Path = ['components', `${kind}s`];
  const name = freeName(fixCase, place, step.key);
  return [
    { op: 'set', path: [...place, name], value: component(name) },
    { op: 'set', path: [...step.path, 'kind'], value: kind },
    { op: 'set', path: [...step.path, 'ref'], value: name },
    ...dropFunction(fixCase, step),
  ];
}

export const BY_PERSON: Fix = {
  id: 'by_person',
  form(fixCase) {
    // A nested workflow cannot pause for a person.
    const [step] = placeholders(fixCase).filter(({ workflow }) => workflow.length === 1);
    return step === undefined
      ? undefined
      : {
          title: 'Let a person do it',
          about: 'The step becomes a human step: the run waits there until somebody answers.',
          fields: [
            {
              name: 'question',
              label: 'What the person is asked',
              help: 'Title and question of the task',
              initial: `${fixCase.target.label}?`,
              kind: 'text',
            },
            {
              name: 'request_type',
              label: 'Kind of answer',
              help: '',
              initial: 'approval',
              kind: 'choice',
              choices: [
                { value: 'approval', label: 'Approval' },
                { value: 'review', label: 'Review' },
                { value: 'correction', label: 'Correction' },
                { value: 'freeform', label: 'Free text' },
              ],
            },
          ],
        };
  },
  edits(fixCase, values) {
    const description = (values['question'] ?? '').trim();
    if (description === '') {
      return 'Say what the person is asked.';
    }
    const request_type = values['request_type'] ?? 'approval';
    return placeholders(fixCase)
      .filter(({ workflow }) => workflow.length === 1)
      .flatMap((step) => takeOver(fixCase, step, 'human', () => ({ description, request_type })));
  },
};

export const BY_AGENT: Fix = {
  id: 'by_agent',
  form(fixCase) {
    const [step] = placeholders(fixCase);
    return step === undefined
      ? undefined
      : {
          title: 'Let an agent do it',
          about: 'The step becomes an agent step: a model answers with what it is told here.',
          fields: [
            {
              name: 'prompt',
              label: 'Instructions',
              help: 'What the model is told',
              initial: `Do the job of the step "${fixCase.target.label}".`,
              kind: 'long_text',
            },
          ],
        };
  },
  edits(fixCase, values) {
    const system_prompt = (values['prompt'] ?? '').trim();
    return system_prompt === ''
      ? 'Write the instructions of the agent.'
      : placeholders(fixCase).flatMap((step) =>
          takeOver(fixCase, step, 'agent', (name) => ({ name, system_prompt })),
        );
  },
};

export const BY_FUNCTION: Fix = {
  id: 'by_function',
  portability: OWN_CODE,
  form(fixCase) {
    const [step] = placeholders(fixCase);
    return step?.kind !== 'workflow'
      ? undefined
      : {
          title: 'Let a function do it',
          about:
            'The step becomes a function step in place of the workflow that is not there. It is looked up in the project’s functions folder.',
          fields: [
            {
              name: 'function',
              label: 'Function',
              help: WHERE,
              initial: `imported.${step.key}`,
              kind: 'text',
            },
          ],
        };
  },
  edits(fixCase, values) {
    const implementation = (values['function'] ?? '').trim();
    return FUNCTION_NAME.test(implementation)
      ? placeholders(fixCase).flatMap((step) =>
          takeOver(fixCase, step, 'function', () => ({ implementation })),
        )
      : 'Write the function as module.name, for example texts.tidy.';
  },
};
