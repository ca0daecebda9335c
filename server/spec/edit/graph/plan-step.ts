import { named } from '../../schema/elements.ts';
import type { Components, Spec, StepKind } from '../../schema/spec-types.ts';
import { nameFault } from '../../values/name-fault.ts';
import { DECLARATIONS } from '../component-stub.ts';
import type { DocumentEdit } from '../edit-value.ts';
import { edgePosition, edgeValue, hiddenNotes } from './edge-order.ts';
import { type GraphOperation, type Plan, refused } from './operation.ts';
import { spokenTurns, type WorkflowAt, workflowAt } from './workflow-at.ts';

type AddStep = Extract<GraphOperation, { op: 'add_step' }>;

/** The map of components that each kind of step refers to. */
export const COMPONENTS: Readonly<Record<StepKind, keyof Components>> = {
  agent: 'agents',
  guardrail: 'agents',
  function: 'functions',
  human: 'humans',
  workflow: 'workflows',
};

const DECLARED: Readonly<Record<Exclude<StepKind, 'workflow'>, keyof typeof DECLARATIONS>> = {
  agent: 'agent',
  guardrail: 'agent',
  function: 'function',
  human: 'human',
};

function declaration(spec: Spec, { kind, ref, declare }: AddStep): DocumentEdit[] | string {
  const known = named<unknown>(spec.components[COMPONENTS[kind]], ref) !== undefined;
  if (!declare) return known ? [] : `There is no ${kind} "${ref}" to run.`;
  if (kind === 'workflow') return 'A new workflow is made by wrapping steps that are there.';
  const fault = nameFault(ref);
  if (fault !== undefined) return fault;
  if (known) return `"${ref}" is declared already. Choose it, or take another name.`;
  const { map, stub } = DECLARATIONS[DECLARED[kind]];
  return [{ op: 'set', path: [...map, ref], value: stub(ref) }];
}

/** Why a workflow can have no step of this id and kind; undefined when it can. */
export function stepFault({ steps, workflow }: WorkflowAt, id: string, kind: StepKind) {
  const fault = nameFault(id);
  if (fault !== undefined) return fault;
  if (steps.some(({ key }) => key === id))
    return `There is a step "${id}" in this workflow already.`;
  const humans = steps.filter(({ step }) => step.enabled && step.kind === 'human');
  return kind === 'human' && workflow.type === 'concurrent' && humans.length > 0
    ? 'A concurrent workflow can ask one person only; two could not be waited for.'
    : undefined;
}

/** A new participant speaks before the one that it stands before. */
function turnEdits(at: WorkflowAt, id: string, index: number): DocumentEdit[] {
  const sequence = spokenTurns(at.workflow);
  if (sequence.length === 0) return [];
  const next = at.steps[index]?.key;
  const before = next === undefined ? -1 : sequence.indexOf(next);
  const turn = before < 0 ? sequence.length : before;
  return [{ op: 'insert', path: [...at.path, 'selector', 'sequence', turn], value: id }];
}

function addToList(at: WorkflowAt, { id, kind, ref, place }: AddStep): Plan {
  if (place.in !== 'list') {
    return refused(
      'The steps of this workflow stand in a list: a new one goes before or after another.',
    );
  }
  const { index } = place;
  if (index < 0 || index > at.steps.length) return refused('There is no such place in the list.');
  const path = [...at.holder, index];
  return {
    edits: [{ op: 'insert', path, value: { id, kind, ref } }, ...turnEdits(at, id, index)],
    notes: [],
    select: { workflow: at.name, step: index },
  };
}

function addToGraph(at: WorkflowAt, operation: AddStep): Plan {
  const { id, kind, ref, place } = operation;
  const { workflow, path } = at;
  if (place.in !== 'graph' || workflow.type !== 'graph') {
    return refused('The nodes of a graph have no order: a new one goes behind another, or alone.');
  }
  const edits: DocumentEdit[] = [{ op: 'set', path: [...at.holder, id], value: { id, kind, ref } }];
  const notes: string[] = [];
  if ('on' in place) {
    const edge = workflow.edges[place.on];
    if (edge === undefined) return refused('There is no such edge any more.');
    const behind = { from: id, to: edge.to };
    edits.push(
      { op: 'set', path: [...path, 'edges', place.on, 'to'], value: id },
      { op: 'insert', path: [...path, 'edges', place.on + 1], value: behind },
    );
  } else if ('after' in place) {
    if (named(workflow.nodes, place.after) === undefined) {
      return refused(`There is no step "${place.after}" any more.`);
    }
    const edge = { from: place.after, to: id, condition: null };
    const index = edgePosition(workflow.edges, edge);
    edits.push({ op: 'insert', path: [...path, 'edges', index], value: edgeValue(edge) });
    notes.push(
      ...hiddenNotes(workflow.edges, [
        ...workflow.edges.slice(0, index),
        edge,
        ...workflow.edges.slice(index),
      ]),
    );
  }
  return { edits, notes, select: { workflow: at.name, step: id } };
}

/** Adds a step to a workflow of any kind, declaring its component when that is new. */
export function planAddStep(spec: Spec, operation: AddStep): Plan {
  const at = workflowAt(spec, operation.workflow);
  if (at === undefined) return refused('There is no such workflow any more.');
  const fault = stepFault(at, operation.id, operation.kind);
  if (fault !== undefined) return refused(fault);
  const declared = declaration(spec, operation);
  if (typeof declared === 'string') return refused(declared);
  const plan = at.workflow.type === 'graph' ? addToGraph(at, operation) : addToList(at, operation);
  return 'problem' in plan ? plan : { ...plan, edits: [...plan.edits, ...declared] };
}
