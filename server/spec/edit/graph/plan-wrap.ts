import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { named } from '../../schema/elements.ts';
import type { Spec } from '../../schema/spec-types.ts';
import { conditionValue } from './edge-order.ts';
import { type GraphOperation, type Plan, type PlannedEdit, refused } from './operation.ts';
import { stepFault } from './plan-step.ts';
import { planWrapNodes } from './plan-wrap-nodes.ts';
import {
  pathOfWorkflow,
  type StepAt,
  spokenTurns,
  stepIn,
  type WorkflowAt,
  workflowAt,
  writtenAt,
} from './workflow-at.ts';

type Wrap = Extract<GraphOperation, { op: 'wrap' }>;

function fallbackFault(at: WorkflowAt, chosen: readonly StepAt[]): string | undefined {
  const inside = new Set(chosen.map(({ key }) => key));
  const crossing = at.steps.find(
    ({ key, step }) =>
      step.fallback_ref !== null && inside.has(key) !== inside.has(step.fallback_ref),
  );
  return crossing === undefined
    ? undefined
    : `"${crossing.key}" falls back to "${crossing.step.fallback_ref}": both go into the new workflow, or none of them.`;
}

function wrapFault(spec: Spec, at: WorkflowAt, chosen: readonly StepAt[], { name, loop }: Wrap) {
  const human = chosen.find(({ step }) => step.enabled && step.kind === 'human');
  const off = chosen.find(({ step }) => !step.enabled);
  if (at.flow !== null)
    return 'Steps of an imported item flow hand items on; a workflow inside could not.';
  if (human !== undefined)
    return `"${human.key}" asks a person, and a nested workflow cannot pause.`;
  if (loop !== null && off !== undefined)
    return `"${off.key}" is disabled. Leave it out of the loop.`;
  const twin = chosen.find(({ key }, index) => chosen.findIndex((one) => one.key === key) < index);
  if (loop !== null && twin !== undefined)
    return `Several of these steps have the id "${twin.key}". Give each its own first.`;
  if (loop !== null && !(Number.isInteger(loop.rounds) && loop.rounds > 0)) {
    return 'A loop needs a limit of 1 round or more.';
  }
  if (named(spec.components.workflows, name) !== undefined) {
    return `There is a workflow "${name}" already.`;
  }
  return stepFault(at, name, 'workflow') ?? fallbackFault(at, chosen);
}

/** The step as it is written, its shorthand in full. */
function fullStep(value: Json): Json {
  return typeof value === 'string' ? { id: value, kind: 'agent', ref: value } : value;
}

function loopValue(
  name: string,
  nodes: ReadonlyMap<string, Json>,
  first: string,
  { condition, rounds }: NonNullable<Wrap['loop']>,
): JsonObject {
  let from = first;
  const edges: JsonObject[] = [];
  for (const to of [...nodes.keys()].slice(1)) {
    edges.push({ from, to });
    from = to;
  }
  return {
    type: 'graph',
    name,
    start: first,
    max_steps: rounds * nodes.size,
    nodes: Object.fromEntries(nodes),
    edges: [...edges, { from, to: first, condition: conditionValue(condition) }],
  };
}

function planWrapList(
  document: JsonObject,
  at: WorkflowAt,
  [one, ...more]: readonly [StepAt, ...StepAt[]],
  { name, loop }: Wrap,
): Plan {
  const chosen = [one, ...more];
  const first = Number(one.segment);
  const indexes = chosen.map(({ segment }) => Number(segment));
  if (indexes.some((index, offset) => index !== first + offset)) {
    return refused('The steps do not follow each other. Choose steps without a gap.');
  }
  if (more.length > 0 && at.workflow.type !== 'sequential') {
    return refused('These participants do not run one after another; wrap each by itself.');
  }
  const written = indexes.map((index) => writtenAt(document, [...at.holder, index]));
  const from = indexes.map((index) => [...at.holder, index + 1]);
  const carried = loop === null && written.every(isObject);
  const made: PlannedEdit = {
    op: 'set',
    path: pathOfWorkflow(name),
    value:
      loop === null
        ? { type: 'sequential', name, steps: written.map(fullStep) }
        : loopValue(
            name,
            new Map(
              chosen.map(({ key, segment }) => [
                key,
                fullStep(writtenAt(document, [...at.holder, segment])),
              ]),
            ),
            one.key,
            loop,
          ),
    ...(carried ? { carries: [{ into: ['steps'], from }] } : {}),
  };
  const turns = spokenTurns(at.workflow).flatMap((turn, index): PlannedEdit[] =>
    turn === one.key
      ? [{ op: 'set', path: [...at.path, 'selector', 'sequence', index], value: name }]
      : [],
  );
  return {
    edits: [
      {
        op: 'insert',
        path: [...at.holder, first],
        value: { id: name, kind: 'workflow', ref: name },
      },
      made,
      ...turns,
      ...from.toReversed().map((path): PlannedEdit => ({ op: 'delete', path, along: carried })),
    ],
    notes: [],
    moves: true,
    select: { workflow: at.name, step: first },
  };
}

/** Puts steps into a new component workflow, which one step runs in their place, once or in a loop. */
export function planWrap(spec: Spec, document: JsonObject, wrap: Wrap): Plan {
  const [address] = wrap.steps;
  const at = address && workflowAt(spec, address.workflow);
  if (at === undefined) return refused('Choose the steps to wrap first.');
  if (wrap.steps.some(({ workflow }) => workflow !== at.name)) {
    return refused('The steps stand in different workflows. Choose steps of one.');
  }
  const found = wrap.steps.flatMap(({ step }) => stepIn(at, step) ?? []);
  const chosen = at.steps.filter((step) => found.includes(step));
  const [one, ...more] = chosen;
  if (one === undefined || chosen.length < wrap.steps.length) {
    return refused('One of the steps is not in the text any more.');
  }
  const fault = wrapFault(spec, at, chosen, wrap);
  if (fault !== undefined) return refused(fault);
  return at.workflow.type === 'graph'
    ? planWrapNodes(document, { ...at, workflow: at.workflow }, chosen, wrap)
    : planWrapList(document, at, [one, ...more], wrap);
}
