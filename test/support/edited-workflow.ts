// What an operation of a drawing means for a workflow, told without its text.
import type { GraphOperation } from '../../server/spec/edit/graph/operation.ts';
import type {
  Edge,
  GraphWorkflow,
  Spec,
  Step,
  Workflow,
} from '../../server/spec/schema/spec-types.ts';

function stepOf(id: string, kind: Step['kind'], ref: string): Step {
  const rest = { enabled: true, on_error: 'fail', fallback_ref: null, max_retries: 0 } as const;
  return { id, kind, ref, ...rest, timeout_seconds: null };
}

function withoutFallback(step: Step, gone: string): Step {
  return step.fallback_ref === gone
    ? {
        ...step,
        fallback_ref: null,
        on_error: step.on_error === 'fallback' ? 'fail' : step.on_error,
      }
    : step;
}

function mapped<T>(map: Record<string, T>, change: (key: string, value: T) => [string, T][]) {
  return Object.fromEntries(Object.entries(map).flatMap(([key, value]) => change(key, value)));
}

function edgeOf(from: string, to: string, condition: unknown = null): Edge {
  return { from, to, condition: condition as Edge['condition'], label: null };
}

function inserted(edges: readonly Edge[], edge: Edge): Edge[] {
  const always = edges.findIndex((one) => one.from === edge.from && one.condition === null);
  const at = edge.condition === null || always < 0 ? edges.length : always;
  return edges.toSpliced(at, 0, edge);
}

function graphAfter(graph: GraphWorkflow, operation: GraphOperation): GraphWorkflow {
  const { nodes, edges, start } = graph;
  switch (operation.op) {
    case 'add_step': {
      const { id, kind, ref, place } = operation;
      const more = { ...nodes, [id]: stepOf(id, kind, ref) };
      if (place.in === 'graph' && 'after' in place) {
        return { ...graph, nodes: more, edges: inserted(edges, edgeOf(place.after, id)) };
      }
      if (place.in !== 'graph' || !('on' in place)) return { ...graph, nodes: more };
      const split = edges.flatMap((edge, index) =>
        index === place.on ? [{ ...edge, to: id }, edgeOf(id, edge.to)] : [edge],
      );
      return { ...graph, nodes: more, edges: split };
    }
    case 'connect': {
      const { from, to, condition } = operation;
      const edge = edgeOf(String(from.step), String(to.step), condition);
      return { ...graph, edges: inserted(edges, edge) };
    }
    case 'retarget': {
      const { line, end, to } = operation;
      const moved = edges.map((edge, index) =>
        'edge' in line && line.edge === index ? { ...edge, [end]: String(to.step) } : edge,
      );
      return { ...graph, edges: moved };
    }
    case 'set_condition': {
      const { line, condition, label } = operation;
      const changed = edges.map((edge, index) =>
        'edge' in line && line.edge === index
          ? { ...edgeOf(edge.from, edge.to, condition), label: label ?? null }
          : edge,
      );
      return { ...graph, edges: changed };
    }
    case 'delete_line': {
      const { line } = operation;
      return { ...graph, edges: edges.filter((_, i) => !('edge' in line) || line.edge !== i) };
    }
    case 'set_fallback': {
      const { line } = operation;
      const edge = 'edge' in line ? edges[line.edge] : undefined;
      if (edge === undefined) return graph;
      return {
        ...graph,
        nodes: mapped(nodes, (key, step) => [
          [
            key,
            key === edge.from ? { ...step, on_error: 'fallback', fallback_ref: edge.to } : step,
          ],
        ]),
        edges: edges.filter((one) => one !== edge),
      };
    }
    case 'delete_step': {
      const gone = String(operation.at.step);
      const left = mapped(nodes, (key, step) =>
        key === gone ? [] : [[key, withoutFallback(step, gone)]],
      );
      const behind = edges.find(({ from, to }) => from === gone && to !== gone)?.to;
      return {
        ...graph,
        start: start === gone ? (behind ?? Object.keys(left)[0] ?? '') : start,
        nodes: left,
        edges: edges.filter(({ from, to }) => from !== gone && to !== gone),
      };
    }
    case 'rename_step': {
      const old = String(operation.at.step);
      const name = (key: string): string => (key === old ? operation.name : key);
      return {
        ...graph,
        start: name(start),
        nodes: mapped(nodes, (key, step) => {
          const falls = step.fallback_ref === null ? null : name(step.fallback_ref);
          return [[name(key), { ...step, id: name(step.id), fallback_ref: falls }]];
        }),
        edges: edges.map((edge) => ({ ...edge, from: name(edge.from), to: name(edge.to) })),
      };
    }
    case 'wrap': {
      const inside = new Set(operation.steps.map(({ step }) => String(step)));
      const name = (key: string): string => (inside.has(key) ? operation.name : key);
      return {
        ...graph,
        start: name(start),
        nodes: {
          ...mapped(nodes, (key, step) => (inside.has(key) ? [] : [[key, step]])),
          [operation.name]: stepOf(operation.name, 'workflow', operation.name),
        },
        edges: edges
          .filter(({ from, to }) => !(inside.has(from) && inside.has(to)))
          .map((edge) => ({ ...edge, from: name(edge.from), to: name(edge.to) })),
      };
    }
    default:
      return graph;
  }
}

interface List {
  readonly steps: readonly Step[];
  readonly turns: readonly string[];
}

function moved<T>(list: readonly T[], from: number, by: number): T[] {
  const [item] = list.slice(from, from + 1);
  const rest = list.toSpliced(from, 1);
  return item === undefined ? rest : rest.toSpliced(from + by, 0, item);
}

function listAfter({ steps, turns }: List, operation: GraphOperation): List {
  switch (operation.op) {
    case 'add_step': {
      const { id, kind, ref, place } = operation;
      const index = place.in === 'list' ? place.index : 0;
      const next = steps[index]?.id;
      const turn = next === undefined ? -1 : turns.indexOf(next);
      return {
        steps: steps.toSpliced(index, 0, stepOf(id, kind, ref)),
        turns: turns.length === 0 ? [] : turns.toSpliced(turn < 0 ? turns.length : turn, 0, id),
      };
    }
    case 'delete_step': {
      const gone = steps[Number(operation.at.step)]?.id ?? '';
      return {
        steps: steps.filter(({ id }) => id !== gone).map((step) => withoutFallback(step, gone)),
        turns: turns.filter((turn) => turn !== gone),
      };
    }
    case 'move_step': {
      const index = Number(operation.at.step);
      const turn = turns.indexOf(steps[index]?.id ?? '');
      return turns.length > 0
        ? { steps, turns: moved(turns, turn, operation.by) }
        : { steps: moved(steps, index, operation.by), turns };
    }
    case 'rename_step': {
      const old = steps[Number(operation.at.step)]?.id ?? '';
      const name = (key: string): string => (key === old ? operation.name : key);
      return {
        steps: steps.map((step) => ({
          ...step,
          id: name(step.id),
          fallback_ref: step.fallback_ref === null ? null : name(step.fallback_ref),
        })),
        turns: turns.map(name),
      };
    }
    case 'wrap': {
      const at = operation.steps.map(({ step }) => Number(step));
      const first = steps[at[0] ?? 0]?.id;
      return {
        steps: steps.flatMap((step, index) =>
          index === at[0]
            ? [stepOf(operation.name, 'workflow', operation.name)]
            : at.includes(index)
              ? []
              : [step],
        ),
        turns: turns.map((turn) => (turn === first ? operation.name : turn)),
      };
    }
    default:
      return { steps, turns };
  }
}

function workflowAfter(workflow: Workflow, operation: GraphOperation): Workflow {
  if (workflow.type === 'graph') return graphAfter(workflow, operation);
  if (workflow.type === 'sequential') {
    return {
      ...workflow,
      steps: [...listAfter({ steps: workflow.steps, turns: [] }, operation).steps],
    };
  }
  const turns = workflow.type === 'handoff' ? workflow.selector.sequence : [];
  const after = listAfter({ steps: workflow.participants, turns }, operation);
  const participants = [...after.steps];
  return workflow.type === 'handoff'
    ? { ...workflow, participants, selector: { ...workflow.selector, sequence: [...after.turns] } }
    : { ...workflow, participants };
}

/** The steps that a wrapped workflow has, in its order. */
function innerOf(workflow: Workflow, operation: GraphOperation): Record<string, Workflow> {
  if (operation.op !== 'wrap') return {};
  const at = new Set(operation.steps.map(({ step }) => step));
  const base = { name: operation.name, description: null };
  if (workflow.type === 'graph') {
    const nodes = mapped(workflow.nodes, (key, step) => (at.has(key) ? [[key, step]] : []));
    const edges = workflow.edges.filter(({ from, to }) => at.has(from) && at.has(to));
    const outside = workflow.edges.filter(({ from, to }) => !at.has(from) && at.has(to));
    const entry = at.has(workflow.start)
      ? workflow.start
      : (outside[0]?.to ?? Object.keys(nodes)[0] ?? '');
    const exit = workflow.edges.find(({ from, to }) => at.has(from) && !at.has(to))?.from;
    const last =
      exit ?? Object.keys(nodes).find((key) => !edges.some(({ from }) => from === key)) ?? '';
    const { loop } = operation;
    const again = loop === null ? [] : [edgeOf(last, entry, loop.condition)];
    const max_steps = loop === null ? 50 : loop.rounds * at.size;
    return {
      inner: {
        ...base,
        type: 'graph',
        start: entry,
        max_steps,
        nodes,
        edges: [...edges, ...again],
      },
    };
  }
  const all = workflow.type === 'sequential' ? workflow.steps : workflow.participants;
  const steps = all.filter((_, index) => at.has(index));
  const { loop } = operation;
  if (loop === null) return { inner: { ...base, type: 'sequential', steps } };
  const ids = steps.map(({ id }) => id);
  const chain = ids.slice(1).map((to, index) => edgeOf(ids[index] ?? '', to));
  const again = edgeOf(ids.at(-1) ?? '', ids[0] ?? '', loop.condition);
  return {
    inner: {
      ...base,
      type: 'graph',
      start: ids[0] ?? '',
      max_steps: loop.rounds * ids.length,
      nodes: Object.fromEntries(steps.map((step) => [step.id, step])),
      edges: [...chain, again],
    },
  };
}

/** The spec after an operation, as far as its drawing shows it. */
export function editedSpec(spec: Spec, operation: GraphOperation): Spec {
  if (spec.workflow === null) return spec;
  const { components } = spec;
  return {
    ...spec,
    workflow: workflowAfter(spec.workflow, operation),
    components: {
      ...components,
      workflows: { ...components.workflows, ...innerOf(spec.workflow, operation) },
    },
  };
}
