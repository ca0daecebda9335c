import type { Spec } from '../../schema/spec-types.ts';
import { type GraphOperation, type Plan, refused } from './operation.ts';
import { type StepAt, spokenTurns, stepAt, turnsOf, type WorkflowAt } from './workflow-at.ts';

function planTurn(at: WorkflowAt, { key, segment }: StepAt, by: number): Plan {
  const turns = turnsOf(at.workflow);
  const index = turns.indexOf(key);
  if (index < 0) return refused(`"${key}" has no turn in the selector's sequence.`);
  if (turns.lastIndexOf(key) !== index) {
    return refused(`"${key}" has several turns. Change the selector's sequence in the text.`);
  }
  const to = index + by;
  return to < 0 || to >= turns.length
    ? refused(by < 0 ? 'It has the first turn already.' : 'It has the last turn already.')
    : {
        edits: [{ op: 'move', path: [...at.path, 'selector', 'sequence', index], to }],
        notes: [],
        select: { workflow: at.name, step: segment },
      };
}

/** Moves a step of a list, or the turn of a participant, earlier or later. */
export function planMove(
  spec: Spec,
  { at: address, by }: Extract<GraphOperation, { op: 'move_step' }>,
): Plan {
  const place = stepAt(spec, address);
  if (place === undefined) return refused('This step is not in the text any more.');
  const { at, found } = place;
  if (at.workflow.type === 'graph' || typeof found.segment === 'string') {
    return refused('The order of a graph is that of its edges. Change where they lead instead.');
  }
  if (spokenTurns(at.workflow).length > 0) return planTurn(at, found, by);
  const to = found.segment + by;
  return to < 0 || to >= at.steps.length
    ? refused(by < 0 ? 'It is the first one already.' : 'It is the last one already.')
    : {
        edits: [{ op: 'move', path: [...at.holder, found.segment], to }],
        notes: [],
        select: { workflow: at.name, step: to },
      };
}
