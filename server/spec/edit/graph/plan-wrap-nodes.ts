import type { JsonObject } from '../../../kernel/json.ts';
import type { Condition, Edge, GraphWorkflow } from '../../schema/spec-types.ts';
import { conditionValue } from './edge-order.ts';
import { type GraphOperation, type Plan, type PlannedEdit, refused } from './operation.ts';
import { pathOfWorkflow, type StepAt, type WorkflowAt, writtenAt } from './workflow-at.ts';

interface PlacedEdge {
  readonly edge: Edge;
  readonly index: number;
}

/** The edges of a graph by how they stand to some of its nodes. */
interface Border {
  readonly keys: ReadonlySet<string>;
  readonly inner: readonly PlacedEdge[];
  readonly entering: readonly PlacedEdge[];
  readonly leaving: readonly PlacedEdge[];
}

function borderOf({ edges }: GraphWorkflow, chosen: readonly StepAt[]): Border {
  const keys = new Set(chosen.map(({ key }) => key));
  const placed = edges.map((edge, index) => ({ edge, index }));
  const side = (from: boolean, to: boolean): PlacedEdge[] =>
    placed.filter(({ edge }) => keys.has(edge.from) === from && keys.has(edge.to) === to);
  return { keys, inner: side(true, true), entering: side(false, true), leaving: side(true, false) };
}

/** True when a condition looks at more than the text of a node, which a workflow around it does not hand on. */
function looksInside({ type, conditions, condition }: Condition): boolean {
  if (type === 'metadata_equals' || type === 'status_is') return true;
  return [...(conditions ?? []), ...(condition ? [condition] : [])].some(looksInside);
}

function entryOf(workflow: GraphWorkflow, { keys, entering }: Border): string | undefined {
  const entries = new Set(entering.map(({ edge }) => edge.to));
  if (keys.has(workflow.start)) entries.add(workflow.start);
  const [entry, other] = entries;
  return other === undefined ? (entry ?? [...keys][0]) : undefined;
}

/** Why the way out of some nodes cannot be that of one workflow; undefined when it can. */
function leavingFault({ keys, inner, leaving }: Border): string | undefined {
  const [exit, other] = new Set(leaving.map(({ edge }) => edge.from));
  if (exit === undefined) return undefined;
  if (other !== undefined) {
    return `"${exit}" and "${other}" both lead out of the selection; a workflow has one way out.`;
  }
  if (inner.some(({ edge }) => edge.from === exit)) {
    return `"${exit}" leads out of the selection and also back into it; a workflow cannot decide that.`;
  }
  const ends = [...keys].find(
    (key) =>
      key !== exit && !inner.some(({ edge }) => edge.from === key && edge.condition === null),
  );
  if (ends !== undefined) {
    return `The workflow may end at "${ends}" now; wrapped, it would go on behind the selection.`;
  }
  return leaving.some(({ edge }) => edge.condition !== null && looksInside(edge.condition))
    ? `An edge out of the selection asks for the status or the metadata of "${exit}", which a nested workflow does not hand on.`
    : undefined;
}

function lastOf({ keys, inner, leaving }: Border): string | undefined {
  const [exit] = leaving;
  if (exit !== undefined) return exit.edge.from;
  const ends = [...keys].filter((key) => !inner.some(({ edge }) => edge.from === key));
  return ends.length === 1 ? ends[0] : undefined;
}

/** Puts nodes of a graph into a new component workflow with the edges between them. */
export function planWrapNodes(
  document: JsonObject,
  at: WorkflowAt & { readonly workflow: GraphWorkflow },
  chosen: readonly StepAt[],
  { name, loop }: Extract<GraphOperation, { op: 'wrap' }>,
): Plan {
  const border = borderOf(at.workflow, chosen);
  const entry = entryOf(at.workflow, border);
  if (entry === undefined) {
    return refused('Ways lead to several of these steps; a workflow has one start.');
  }
  const fault = leavingFault(border);
  if (fault !== undefined) return refused(fault);
  const last = loop === null ? entry : lastOf(border);
  if (last === undefined) return refused('A loop needs one last step, from which it begins again.');
  const edgePaths = border.inner.map(({ index }) => [...at.path, 'edges', index]);
  const nodePaths = chosen.map(({ key }) => [...at.holder, key]);
  const again =
    loop === null ? [] : [{ from: last, to: entry, condition: conditionValue(loop.condition) }];
  const made: PlannedEdit = {
    op: 'set',
    path: pathOfWorkflow(name),
    value: {
      type: 'graph',
      name,
      start: entry,
      ...(loop === null ? {} : { max_steps: loop.rounds * chosen.length }),
      nodes: Object.fromEntries(
        chosen.map(({ key }) => [key, writtenAt(document, [...at.holder, key])]),
      ),
      edges: [...edgePaths.map((path) => writtenAt(document, path)), ...again],
    },
    carries: [
      { into: ['nodes'], from: nodePaths },
      { into: ['edges'], from: edgePaths },
    ],
  };
  const end = ({ index }: PlacedEdge, side: 'from' | 'to'): PlannedEdit => ({
    ...{ op: 'set', path: [...at.path, 'edges', index, side], value: name },
  });
  return {
    edits: [
      { op: 'set', path: [...at.holder, name], value: { id: name, kind: 'workflow', ref: name } },
      made,
      ...(border.keys.has(at.workflow.start)
        ? [{ op: 'set' as const, path: [...at.path, 'start'], value: name }]
        : []),
      ...border.entering.map((edge) => end(edge, 'to')),
      ...border.leaving.map((edge) => end(edge, 'from')),
      ...[...edgePaths.toReversed(), ...nodePaths].map(
        (path): PlannedEdit => ({ op: 'delete', path, along: true }),
      ),
    ],
    notes: [],
    moves: true,
    select: { workflow: at.name, step: name },
  };
}
