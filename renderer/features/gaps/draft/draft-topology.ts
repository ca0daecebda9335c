import {
  type Topology,
  type TopologyGroup,
  topologyOf,
} from '../../../../server/spec/graph/topology.ts';
import type { Spec, Workflow } from '../../../../server/spec/schema/spec-types.ts';

const ROOT = /^workflow(?=[.[#]|$)/;

function component(path: string): string {
  return /^components\.workflows\.(.+)$/.exec(path)?.[1] ?? '';
}

/** A component workflow that nothing runs yet, drawn inside a frame of its own. */
function framed(spec: Spec, name: string, workflow: Workflow): Topology {
  const inner = topologyOf({ ...spec, workflow });
  const frame = `components.workflows.${name}`;
  const group = `${frame}>`;
  const place = (text: string): string => text.replace(ROOT, frame);
  const own: TopologyGroup = {
    id: group,
    label: name,
    workflow_type: workflow.type,
    path: frame,
    node: frame,
  };
  return {
    ...inner,
    nodes: [
      {
        id: frame,
        kind: 'workflow',
        label: name,
        ref: name,
        path: frame,
        enabled: true,
        start: false,
        on_error: 'fail',
        max_retries: 0,
        timeout_seconds: null,
        group: null,
      },
      ...inner.nodes.map((node) => ({
        ...node,
        id: place(node.id),
        path: place(node.path),
        group: node.group === null ? group : place(node.group),
      })),
    ],
    edges: inner.edges.map((edge) => ({
      ...edge,
      id: `${frame} ${edge.id}`,
      source: place(edge.source),
      target: place(edge.target),
    })),
    groups: [
      own,
      ...inner.groups.map((one) => ({ ...one, id: place(one.id), node: place(one.node) })),
    ],
  };
}

/**
 * The drawing of a draft with the component workflows that no step runs, as an import makes them of
 * the programs of several triggers. Without them the root agent would stand alone.
 */
export function drawWholeDraft(spec: Spec): Topology {
  let drawn = topologyOf(spec);
  for (const [name, workflow] of Object.entries(spec.components.workflows)) {
    const seen = drawn.groups.some(({ path }) => component(path) === name);
    if (!seen && !isCalled(spec, name)) {
      const more = framed(spec, name, workflow);
      drawn = {
        ...drawn,
        nodes: [...drawn.nodes, ...more.nodes],
        edges: [...drawn.edges, ...more.edges],
        groups: [...drawn.groups, ...more.groups],
      };
    }
  }
  return drawn;
}

function stepsOfWorkflow(workflow: Workflow) {
  if (workflow.type === 'graph') {
    return Object.values(workflow.nodes);
  }
  return workflow.type === 'sequential' ? workflow.steps : workflow.participants;
}

/** True when a step of another workflow, or an agent, runs it: it is drawn with its caller. */
function isCalled(spec: Spec, name: string): boolean {
  const workflows = Object.entries(spec.components.workflows);
  return (
    workflows.some(
      ([caller, workflow]) =>
        caller !== name &&
        stepsOfWorkflow(workflow).some(({ kind, ref }) => kind === 'workflow' && ref === name),
    ) || Object.values(spec.components.agents).some((agent) => agent.as_agent === name)
  );
}
