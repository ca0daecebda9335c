import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { DocumentEdit } from '../../spec/edit/edit-value.ts';
import type { Path } from '../../spec/values/path.ts';
import { mapAt, type StepPlace, stepsOf, valueAt } from './draft-steps.ts';
import { dropFunction } from './fix-functions.ts';
import type { Fix, FixCase } from './fix-types.ts';

interface EdgePlace {
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly value: JsonObject;
}

function edgesOf(document: JsonObject, workflow: Path): readonly EdgePlace[] {
  const list = valueAt(document, [...workflow, 'edges']);
  return (Array.isArray(list) ? list : []).flatMap((value: Json, index) =>
    isObject(value) && !Array.isArray(value)
      ? [{ index, from: String(value['from']), to: String(value['to']), value }]
      : [],
  );
}

function isConditional({ value }: EdgePlace): boolean {
  return value['condition'] !== undefined && value['condition'] !== null;
}

function isGraph({ workflowType }: StepPlace): boolean {
  return workflowType === 'graph';
}

function whole(text: string | undefined, least: number): number | undefined {
  const number = Number(text);
  return text !== undefined && text.trim() !== '' && Number.isInteger(number) && number >= least
    ? number
    : undefined;
}

/** True when the edges lead from a step back to it. */
function goesRound(edges: readonly EdgePlace[], start: string): boolean {
  const next = Map.groupBy(edges, ({ from }) => from);
  const seen = new Set<string>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { to } of next.get(at) ?? []) {
      if (to === start) {
        return true;
      }
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
    }
  }
  return false;
}

/** True when only the condition that is still to be written ends a circle of the draft. */
function endsCircle(fixCase: FixCase): boolean {
  const found = undecided(fixCase);
  return (
    found !== undefined &&
    mapAt(fixCase.document, found.workflow)?.['max_steps'] === undefined &&
    goesRound(edgesOf(fixCase.document, found.workflow), found.name)
  );
}

/** A circle without a limit, or a decision that ends one and has its condition to be written. */
function asksForLimit(fixCase: FixCase): boolean {
  const { kind } = fixCase.target;
  return kind === 'unbounded_loop' || (kind === 'expression' && endsCircle(fixCase));
}

/** The workflows that hold the element: as a step, or as edges between two. */
function graphsOf(fixCase: FixCase): readonly Path[] {
  const graphs = fixCase.element.steps.filter(isGraph).map(({ workflow }) => workflow);
  const between = graphs.length === 0 ? undecided(fixCase) : undefined;
  return between === undefined ? graphs : [between.workflow];
}

export const LIMIT_STEPS: Fix = {
  id: 'limit_steps',
  form(fixCase) {
    return !asksForLimit(fixCase) || graphsOf(fixCase).length === 0
      ? undefined
      : {
          title: 'Limit the number of steps',
          about: 'The workflow ends when it has visited this many nodes, also inside the loop.',
          fields: [
            {
              name: 'steps',
              label: 'Most steps',
              help: 'max_steps of the workflow',
              initial: '50',
              kind: 'number',
              most: 10_000,
            },
          ],
        };
  },
  edits(fixCase, values) {
    const value = whole(values['steps'], 1);
    if (value === undefined) {
      return 'Write the greatest number of steps.';
    }
    const workflows = new Map(graphsOf(fixCase).map((workflow) => [workflow.join('\n'), workflow]));
    return [...workflows.values()].map((workflow) => ({
      op: 'set',
      path: [...workflow, 'max_steps'],
      value,
    }));
  },
};

/** Steps that say already what they do on a failure. */
function handlesFailure(document: JsonObject) {
  return ({ path }: StepPlace): boolean => {
    const step = mapAt(document, path);
    return step?.['on_error'] !== undefined || step?.['max_retries'] !== undefined;
  };
}

export const ON_FAILURE: Fix = {
  id: 'on_failure',
  form({ document, target, element }) {
    const carried = target.kind === 'carried_as' && element.steps.some(handlesFailure(document));
    const fits =
      carried || target.kind === 'execution_setting' || target.kind === 'error_route_not_carried';
    return !fits || element.steps.every(({ path }) => mapAt(document, path) === undefined)
      ? undefined
      : {
          title: 'Set what happens on a failure',
          about: 'The step is tried again this often; then the run fails, or goes on.',
          fields: [
            {
              name: 'retries',
              label: 'Retries',
              help: 'max_retries of the step',
              initial: '2',
              kind: 'number',
              most: 10,
            },
            {
              name: 'on_error',
              label: 'After that',
              help: '',
              initial: target.kind === 'error_route_not_carried' ? 'continue' : 'fail',
              kind: 'choice',
              choices: [
                { value: 'fail', label: 'The run fails' },
                { value: 'continue', label: 'The run goes on' },
              ],
            },
          ],
        };
  },
  edits({ document, element }, values) {
    const value = whole(values['retries'], 0);
    return value === undefined
      ? 'Write how often the step is tried again; 0 for never.'
      : element.steps
          .filter(({ path }) => mapAt(document, path) !== undefined)
          .flatMap(({ path }): DocumentEdit[] => [
            { op: 'set', path: [...path, 'max_retries'], value },
            { op: 'set', path: [...path, 'on_error'], value: values['on_error'] ?? 'fail' },
          ]);
  },
};

/** The edges that the element leads to, or that it became when it stood between two steps. */
function undecided({ document, target, element }: FixCase) {
  const [step] = element.steps.filter(isGraph);
  if (step !== undefined) {
    const edges = edgesOf(document, step.workflow).filter(({ from }) => from === step.key);
    return edges.length === 0 ? undefined : { workflow: step.workflow, name: step.key, edges };
  }
  const { before = [], after = [] } = target;
  const source = stepsOf(document).find((place) => isGraph(place) && before.includes(place.key));
  if (element.steps.length > 0 || source === undefined) {
    return undefined;
  }
  const edges = edgesOf(document, source.workflow).filter(
    ({ from, to }) => before.includes(from) && after.includes(to),
  );
  return edges.length === 0 ? undefined : { workflow: source.workflow, name: source.key, edges };
}

const RULES = [
  { value: 'output_contains', label: 'the output contains' },
  { value: 'output_equals', label: 'the output is exactly' },
  { value: 'status_is', label: 'the step ended as (completed, failed)' },
];

export const SET_CONDITION: Fix = {
  id: 'set_condition',
  single: true,
  form(fixCase) {
    const kinds = ['expression', 'branching_shape', 'error_route_not_carried', 'carried_as'];
    const found = kinds.includes(fixCase.target.kind) ? undecided(fixCase) : undefined;
    if (fixCase.target.kind === 'carried_as' && !found?.edges.some(isConditional)) {
      return undefined;
    }
    return found === undefined
      ? undefined
      : {
          title: 'Write the condition of an edge',
          about: `The edges of "${found.name}" are tried in their order; the first whose condition holds is taken.`,
          fields: [
            {
              name: 'edge',
              label: 'Edge',
              help: '',
              initial: String(found.edges[0]?.index ?? 0),
              kind: 'choice',
              choices: found.edges.map(({ index, from, to, value }) => ({
                value: String(index),
                label:
                  typeof value['label'] === 'string'
                    ? `${from}, ${value['label']} → ${to}`
                    : `${from} → ${to}`,
              })),
            },
            {
              name: 'rule',
              label: 'Taken when',
              help: '',
              initial: 'output_contains',
              kind: 'choice',
              choices: RULES,
            },
            { name: 'value', label: 'Value', help: '', initial: '', kind: 'text' },
          ],
        };
  },
  edits(fixCase, values) {
    const found = undecided(fixCase);
    const index = whole(values['edge'], 0);
    const value = values['value'] ?? '';
    if (found === undefined || index === undefined || value === '') {
      return 'Write the value that decides.';
    }
    const type = values['rule'] ?? 'output_contains';
    return [
      {
        op: 'set',
        path: [...found.workflow, 'edges', index, 'condition'],
        value: { type, value },
      },
    ];
  },
};

/** The edits that lead the flow of a graph past a node; undefined when that is not one plain way. */
function pastNode(document: JsonObject, step: StepPlace): readonly DocumentEdit[] | undefined {
  const { workflow, key } = step;
  const edges = edgesOf(document, workflow);
  const out = edges.filter(({ from }) => from === key);
  const into = edges.filter(({ to }) => to === key);
  const [next] = out;
  const starts = valueAt(document, [...workflow, 'start']) === key;
  const loops = next !== undefined && into.some(({ from }) => from === next.to || from === key);
  if (out.length > 1 || loops || (starts && next === undefined)) {
    return undefined;
  }
  const edgePath = (index: number): Path => [...workflow, 'edges', index];
  const gone = next === undefined ? into : [next];
  return [
    ...(next === undefined
      ? []
      : into.map(
          ({ index }): DocumentEdit => ({
            op: 'set',
            path: [...edgePath(index), 'to'],
            value: next.to,
          }),
        )),
    ...gone
      .toSorted((a, b) => b.index - a.index)
      .map(({ index }): DocumentEdit => ({ op: 'delete', path: edgePath(index) })),
    ...(starts && next !== undefined
      ? [{ op: 'set', path: [...workflow, 'start'], value: next.to } as const]
      : []),
    { op: 'delete', path: step.path },
  ];
}

function removal(document: JsonObject, step: StepPlace): readonly DocumentEdit[] | undefined {
  const beside = stepsOf(document).filter(
    (other) => other.workflow.join('\n') === step.workflow.join('\n'),
  );
  const fallback = beside.some(({ path }) => mapAt(document, path)?.['fallback_ref'] === step.key);
  if (beside.length < 2 || fallback) {
    return undefined;
  }
  if (step.workflowType === 'sequential') {
    return [{ op: 'delete', path: step.path }];
  }
  return isGraph(step) ? pastNode(document, step) : undefined;
}

const REMOVABLE: ReadonlySet<string> = new Set([
  'proprietary_node',
  'unreachable_from_entry',
  'source_cannot_run',
  'deactivated_node',
  'carried_as',
  'expression',
  'subworkflow',
]);

export const TAKE_OUT: Fix = {
  id: 'take_out',
  form({ document, target, element }) {
    const [step, second] = element.steps;
    const fits = REMOVABLE.has(target.kind) && step !== undefined && second === undefined;
    return !fits || removal(document, step) === undefined
      ? undefined
      : {
          title: 'Take it out of the flow',
          about: 'The step is removed; what came before it leads to what came after it.',
          fields: [],
        };
  },
  edits(fixCase) {
    const [step] = fixCase.element.steps;
    const edits = step === undefined ? undefined : removal(fixCase.document, step);
    return step === undefined || edits === undefined
      ? 'The step cannot be taken out without deciding where the flow goes.'
      : [...edits, ...dropFunction(fixCase, step)];
  },
};

/** Steps that the run can begin at, in a graph. */
function starts({ document, target }: FixCase) {
  const graph = stepsOf(document).filter(
    (step) => isGraph(step) && step.workflow.join('.') === 'workflow',
  );
  return target.kind === 'no_entry' && graph.length > 1 ? graph : [];
}

export const CHOOSE_START: Fix = {
  id: 'choose_start',
  single: true,
  form(fixCase) {
    const steps = starts(fixCase);
    const now = valueAt(fixCase.document, ['workflow', 'start']);
    return steps.length === 0
      ? undefined
      : {
          title: 'Choose where the run starts',
          about:
            'The source has no trigger. The run begins at this step with the input it is given.',
          fields: [
            {
              name: 'start',
              label: 'First step',
              help: 'start of the workflow',
              initial: typeof now === 'string' ? now : '',
              kind: 'choice',
              choices: steps.map(({ key }) => ({ value: key, label: key })),
            },
          ],
        };
  },
  edits(fixCase, values) {
    const value = values['start'] ?? '';
    return starts(fixCase).some(({ key }) => key === value)
      ? [{ op: 'set', path: ['workflow', 'start'], value }]
      : 'Choose the first step.';
  },
};
