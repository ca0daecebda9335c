import type { Spec } from '../../schema/spec-types.ts';
import type { DocumentEdit } from '../edit-value.ts';
import { type LineAddress, type Plan, refused } from './operation.ts';
import { workflowAt } from './workflow-at.ts';

const GONE = 'This edge is not in the text any more.';

/**
 * Makes an edge the fallback of the step that it leaves: the step names its target, and the edge
 * goes, since a run would take it after a success too.
 */
export function planFallback(spec: Spec, { line }: { readonly line: LineAddress }): Plan {
  if ('fallback' in line) return refused('This is the fallback of its step already.');
  const at = workflowAt(spec, line.workflow);
  const edge = at?.workflow.type === 'graph' ? at.workflow.edges[line.edge] : undefined;
  const found = at?.steps.find(({ key }) => key === edge?.from);
  if (at === undefined || edge === undefined || found === undefined) return refused(GONE);
  if (at.flow !== null) {
    return refused(
      'The steps of an imported item flow have no fallback: what follows a failure is an output of theirs.',
    );
  }
  if (edge.condition !== null) {
    return refused(
      'A fallback is taken when its step fails and has no other condition. Take the condition of the edge away first.',
    );
  }
  if (edge.from === edge.to) return refused('A step cannot stand in for itself.');
  const path = [...at.holder, found.segment];
  const before = found.step.fallback_ref;
  const reaction: DocumentEdit[] =
    found.step.on_error === 'fallback'
      ? []
      : [{ op: 'set', path: [...path, 'on_error'], value: 'fallback' }];
  return {
    edits: [
      ...reaction,
      { op: 'set', path: [...path, 'fallback_ref'], value: edge.to },
      { op: 'delete', path: [...at.path, 'edges', line.edge] },
    ],
    notes:
      before === null || before === edge.to
        ? []
        : [`"${before}" is no longer the fallback of "${edge.from}".`],
    select: { workflow: line.workflow, step: edge.from },
  };
}
