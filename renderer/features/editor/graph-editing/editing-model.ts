import type { GraphOperation, StepAddress } from '../../../../server/spec/edit/graph/operation.ts';
import { connectFault } from '../../../../server/spec/edit/graph/plan-line.ts';
import {
  lineAddresses,
  stepAddresses,
  workflowAt,
} from '../../../../server/spec/edit/graph/workflow-at.ts';
import { type Topology, topologyOf } from '../../../../server/spec/graph/topology.ts';
import { graphEdit, graphEditFault } from '../../../../server/spec/language/graph-edit.ts';
import type { OpenDocument } from '../../../../server/spec/language/open-document.ts';
import type { Spec } from '../../../../server/spec/schema/spec-types.ts';
import type { GraphEditAnswer } from '../spec-protocol.ts';
import { placedEdits } from '../text-range.ts';
import type { GraphEditing } from './editing-types.ts';

function drawnLines(spec: Spec, topology: Topology): GraphEditing['lines'] {
  const addresses = lineAddresses(spec);
  const keys = new Map(topology.nodes.map(({ id, label }) => [id, label]));
  return Object.fromEntries(
    topology.edges.flatMap(({ id, path, label, source, target }) => {
      const at = path === null ? undefined : addresses.get(path);
      if (at === undefined) return [];
      const workflow = workflowAt(spec, at.workflow)?.workflow;
      const edge = 'edge' in at && workflow?.type === 'graph' ? workflow.edges[at.edge] : undefined;
      const ends = { from: keys.get(source) ?? '', to: keys.get(target) ?? '' };
      return [
        [id, { at, ...ends, label: edge?.label ?? label, condition: edge?.condition ?? null }],
      ];
    }),
  );
}

/** What the drawing of a text may change. */
export function editingOf(document: OpenDocument, spec: Spec, topology: Topology): GraphEditing {
  const addresses = stepAddresses(spec);
  const { components, workflow } = spec;
  return {
    fault: graphEditFault(document) ?? null,
    steps: Object.fromEntries(
      topology.nodes.flatMap(({ id, path, label, kind }) => {
        const at = kind === 'start' || kind === 'end' ? undefined : addresses.get(path);
        return at === undefined ? [] : [[id, { at, key: label }]];
      }),
    ),
    lines: drawnLines(spec, topology),
    workflows: {
      ...Object.fromEntries(
        Object.entries(components.workflows).map(([name, { type }]) => [name, type]),
      ),
      ...(workflow === null ? {} : { '': workflow.type }),
    },
    parts: {
      agents: Object.keys(components.agents),
      functions: Object.keys(components.functions),
      humans: Object.keys(components.humans),
      workflows: Object.keys(components.workflows),
    },
  };
}

/** The edits of an operation as the editor takes them. */
export function graphEditAnswer(
  document: OpenDocument,
  operation: GraphOperation,
): GraphEditAnswer {
  const made = graphEdit(document, operation);
  return 'problem' in made ? made : { ...made, edits: placedEdits(document.source, made.edits) };
}

/** Why no edge can lead from a step to each node of the drawing, by the node's id; nodes that are not listed can be led to. */
export function connectFaults(
  document: OpenDocument,
  from: StepAddress,
): Readonly<Record<string, string>> {
  const { spec } = document.validation();
  if (spec === undefined) return {};
  const { steps } = editingOf(document, spec, topologyOf(spec));
  return Object.fromEntries(
    Object.entries(steps).flatMap(([id, { at }]) => {
      const fault = connectFault(spec, from, at);
      return fault === undefined ? [] : [[id, fault]];
    }),
  );
}
