import { agentChildEnded, enterAgent } from './agent-call.ts';
import { enterFunction } from './function-call.ts';
import { enterGuard, guardChildEnded } from './guardrails.ts';
import { flowPromptRead } from './kinds/flow.ts';
import { enterModel } from './model-call.ts';
import { failFromOutside, runEnded } from './run-end.ts';
import { MAX_OFFERED_CHARS, TOO_MUCH_AT_ONCE, tooManyParts } from './run-limits.ts';
import type { Frame, Outcome } from './state.ts';
import { enterTool, enterTools, toolChildEnded, toolsChildEnded } from './tool-call.ts';
import type { Turn } from './turn.ts';
import { enterWorkflow, workflowChildEnded } from './workflow.ts';
import { enterStep, stepChildEnded } from './workflow-step.ts';

/** Parts that one event may set in motion: far more than a spec of the size limits has. */
const MAX_WORK = 100_000;

/** Ends a run that goes beyond what one run may use. */
function keepWithinLimits(turn: Turn): void {
  const { parts } = turn.spec.limits;
  const { seq, offered_chars: offered = 0 } = turn.run;
  const atOnce = turn.worked > MAX_WORK || offered > MAX_OFFERED_CHARS;
  if (atOnce) failFromOutside(turn, TOO_MUCH_AT_ONCE, {});
  else if (seq > parts) failFromOutside(turn, tooManyParts(parts), {});
}

/** Works off everything that an event set in motion, until the run waits or ends. */
export function runWork(turn: Turn): void {
  for (let work = turn.nextWork(); work !== undefined; work = turn.nextWork()) {
    keepWithinLimits(turn);
    if (work.kind === 'enter') {
      const frame = turn.frame(work.frame);
      if (frame !== undefined) enter(turn, frame);
    } else if (work.parent === null) runEnded(turn, work.outcome);
    else {
      const parent = turn.frame(work.parent);
      if (parent !== undefined) childEnded(turn, parent, work.child, work.outcome);
    }
  }
}

function enter(turn: Turn, frame: Frame): void {
  switch (frame.kind) {
    case 'workflow':
      enterWorkflow(turn, frame);
      return;
    case 'step':
      enterStep(turn, frame);
      return;
    case 'agent':
      enterAgent(turn, frame);
      return;
    case 'model':
      enterModel(turn, frame);
      return;
    case 'function':
      enterFunction(turn, frame);
      return;
    case 'tools':
      enterTools(turn, frame);
      return;
    case 'tool':
      enterTool(turn, frame);
      return;
    case 'guard':
      enterGuard(turn, frame);
  }
}

function childEnded(turn: Turn, parent: Frame, child: Frame, outcome: Outcome): void {
  switch (parent.kind) {
    case 'workflow':
      if (child.kind === 'step') workflowChildEnded(turn, parent, child, outcome);
      else flowPromptRead(turn, parent, outcome);
      return;
    case 'step':
      stepChildEnded(turn, parent, outcome);
      return;
    case 'agent':
      agentChildEnded(turn, parent, outcome);
      return;
    case 'tools':
      toolsChildEnded(turn, parent, child.slot, outcome);
      return;
    case 'tool':
      toolChildEnded(turn, parent, outcome);
      return;
    case 'guard':
      guardChildEnded(turn, parent, outcome);
      return;
    case 'model':
    case 'function':
      return;
  }
}
