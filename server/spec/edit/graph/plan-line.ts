import type { Edge, Spec } from '../../schema/spec-types.ts';
import type { Path } from '../../values/path.ts';
import type { DocumentEdit } from '../edit-value.ts';
import { conditionValue, edgePosition, edgeValue, hiddenNotes } from './edge-order.ts';
import {
  type GraphOperation,
  type LineAddress,
  type Plan,
  refused,
  type StepAddress,
} from './operation.ts';
import {
  type StepAt,
  stepAt,
  stepIn,
  type WorkflowAt,
  workflowAt,
  writtenAt,
} from './workflow-at.ts';

type Of<Op extends GraphOperation['op']> = Extract<GraphOperation, { op: Op }>;

const GONE = 'This edge is not in the text any more.';

/** Why the steps of a workflow cannot be connected by hand; undefined when they can. */
function orderFault({ workflow }: WorkflowAt): string | undefined {
  switch (workflow.type) {
    case 'graph':
      return undefined;
    case 'sequential':
      return 'The steps of a sequential workflow follow each other in their order. Move a step instead.';
    case 'concurrent':
      return 'Participants of a concurrent workflow run side by side; nothing leads from one to another.';
    case 'handoff':
      return 'Who speaks next in a handoff is the order of its selector. Move a participant instead.';
    default:
      return 'In a group chat all speak in turn, in their order. Move a participant instead.';
  }
}

/** Why no edge can lead from one step to another; undefined when one can. */
export function connectFault(spec: Spec, from: StepAddress, to: StepAddress): string | undefined {
  const source = stepAt(spec, from);
  if (source === undefined || stepAt(spec, to) === undefined) {
    return 'One of the two steps is not in the text any more.';
  }
  if (from.workflow !== to.workflow) {
    return 'Both ends of an edge stand in the same workflow; this step is in another one.';
  }
  const order = orderFault(source.at);
  if (order !== undefined || source.at.workflow.type !== 'graph') return order;
  const known = source.at.workflow.edges.some(
    (edge) => edge.from === from.step && edge.to === to.step && edge.condition === null,
  );
  return known ? `"${from.step}" leads to "${to.step}" already.` : undefined;
}

/** An edge between two nodes of a graph. */
export function planConnect(spec: Spec, { from, to, condition }: Of<'connect'>): Plan {
  const fault = connectFault(spec, from, to);
  const at = workflowAt(spec, from.workflow);
  if (fault !== undefined) return refused(fault);
  if (at?.workflow.type !== 'graph') return refused(GONE);
  const { edges } = at.workflow;
  const edge = { from: String(from.step), to: String(to.step), condition };
  const index = edgePosition(edges, edge);
  const after = [...edges.slice(0, index), edge, ...edges.slice(index)];
  const round =
    edge.from === edge.to && condition === null
      ? ['Without a condition the step repeats until the limit of steps ends the run.']
      : [];
  return {
    edits: [{ op: 'insert', path: [...at.path, 'edges', index], value: edgeValue(edge) }],
    notes: [...hiddenNotes(edges, after), ...round],
    select: from,
  };
}

interface EdgeAt {
  readonly at: WorkflowAt;
  readonly edges: readonly Edge[];
  readonly edge: Edge;
  readonly index: number;
  readonly path: Path;
}

function edgeAt(spec: Spec, workflow: string | null, index: number): EdgeAt | undefined {
  const at = workflowAt(spec, workflow);
  if (at?.workflow.type !== 'graph') return undefined;
  const { edges } = at.workflow;
  const edge = edges[index];
  return edge && { at, edges, edge, index, path: [...at.path, 'edges', index] };
}

/** Why an edge of an imported workflow cannot be taken from its target. */
function inputFault({ at: { flow }, edge }: EdgeAt): string | undefined {
  const inputs = flow === null ? null : writtenAt(flow, ['steps', edge.to, 'inputs']);
  return inputs === null
    ? undefined
    : `"${edge.to}" says in metadata.flow which outputs feed its inputs. Change it there, in the text.`;
}

function fallbackOf(
  spec: Spec,
  { workflow, fallback }: Extract<LineAddress, { fallback: unknown }>,
) {
  const at = workflowAt(spec, workflow);
  const found = at && stepIn(at, fallback);
  return at === undefined || found === undefined || found.step.fallback_ref === null
    ? undefined
    : { at, found, path: [...at.holder, fallback] };
}

function retargetFallback(spec: Spec, operation: Of<'retarget'>, line: StepFallback): Plan {
  const { at, found, path } = line;
  const target = stepAt(spec, operation.to)?.found;
  if (operation.end === 'from') {
    return refused('A fallback belongs to its step. Set one at the other step instead.');
  }
  if (target === undefined || operation.to.workflow !== at.name) {
    return refused('A fallback is a step of the same workflow.');
  }
  if (target.key === found.key) return refused('A step cannot stand in for itself.');
  return {
    edits: [{ op: 'set', path: [...path, 'fallback_ref'], value: target.key }],
    notes: [],
    select: { workflow: at.name, step: found.segment },
  };
}

type StepFallback = NonNullable<ReturnType<typeof fallbackOf>>;

/** Gives an end of an edge, or the target of a fallback, another step. */
export function planRetarget(spec: Spec, operation: Of<'retarget'>): Plan {
  const { line, end, to } = operation;
  if ('fallback' in line) {
    const fallback = fallbackOf(spec, line);
    return fallback === undefined ? refused(GONE) : retargetFallback(spec, operation, fallback);
  }
  const found = edgeAt(spec, line.workflow, line.edge);
  if (found === undefined) return refused(GONE);
  const other: StepAddress = {
    workflow: line.workflow,
    step: end === 'to' ? found.edge.from : found.edge.to,
  };
  const same = found.edge[end] === to.step;
  const fault = same
    ? 'The edge stands there already.'
    : ((found.edge.condition === null
        ? end === 'to'
          ? connectFault(spec, other, to)
          : connectFault(spec, to, other)
        : sameWorkflowFault(spec, line.workflow, to)) ?? inputFault(found));
  if (fault !== undefined) return refused(fault);
  const after = found.edges.with(found.index, { ...found.edge, [end]: String(to.step) });
  return {
    edits: [{ op: 'set', path: [...found.path, end], value: String(to.step) }],
    notes: hiddenNotes(found.edges, after),
    select: end === 'to' ? other : to,
  };
}

function sameWorkflowFault(spec: Spec, workflow: string | null, to: StepAddress) {
  return to.workflow === workflow && stepAt(spec, to) !== undefined
    ? undefined
    : 'Both ends of an edge stand in the same workflow; this step is in another one.';
}

/** Gives an edge another condition and label, or takes them away. */
export function planCondition(spec: Spec, operation: Of<'set_condition'>): Plan {
  const { line, condition, label } = operation;
  if ('fallback' in line) {
    return refused('A fallback is taken when its step fails; it has no other condition.');
  }
  const found = edgeAt(spec, line.workflow, line.edge);
  if (found === undefined) return refused(GONE);
  const { edge, edges, index, path } = found;
  const edits: DocumentEdit[] = [];
  if (condition !== null) {
    edits.push({ op: 'set', path: [...path, 'condition'], value: conditionValue(condition) });
  } else if (edge.condition !== null) edits.push({ op: 'delete', path: [...path, 'condition'] });
  if (typeof label === 'string' && label !== '') {
    edits.push({ op: 'set', path: [...path, 'label'], value: label });
  } else if (label !== undefined && edge.label !== null) {
    edits.push({ op: 'delete', path: [...path, 'label'] });
  }
  const after: { from: string; to: string; condition: unknown }[] = [...edges];
  after[index] = { ...edge, condition };
  return {
    edits,
    notes: hiddenNotes(edges, after),
    select: { workflow: line.workflow, step: edge.from },
  };
}

/** The edits that take the fallback of a step away, whatever of it is written. */
export function dropFallback(at: WorkflowAt, { segment, step }: StepAt): DocumentEdit[] {
  const path = [...at.holder, segment];
  return [
    { op: 'delete', path: [...path, 'fallback_ref'] },
    ...(step.on_error === 'fallback'
      ? [{ op: 'delete' as const, path: [...path, 'on_error'] }]
      : []),
  ];
}

/** Takes an edge or a fallback away. */
export function planDeleteLine(spec: Spec, { line }: Of<'delete_line'>): Plan {
  if ('fallback' in line) {
    const fallback = fallbackOf(spec, line);
    if (fallback === undefined) return refused(GONE);
    const { at, found } = fallback;
    return {
      edits: dropFallback(at, found),
      notes: [`A failure of "${found.key}" ends the run now.`],
      select: { workflow: at.name, step: found.segment },
    };
  }
  const found = edgeAt(spec, line.workflow, line.edge);
  if (found === undefined) return refused(GONE);
  const fault = inputFault(found);
  return fault === undefined
    ? {
        edits: [{ op: 'delete', path: found.path }],
        notes: [],
        select: { workflow: line.workflow, step: found.edge.from },
      }
    : refused(fault);
}
