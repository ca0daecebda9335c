import type { JsonObject } from '../../../kernel/json.ts';
import type { Spec } from '../../schema/spec-types.ts';
import type { Plan, PlannedOperation } from './operation.ts';
import { planDeleteStep } from './plan-delete.ts';
import { planFallback } from './plan-fallback.ts';
import { planCondition, planConnect, planDeleteLine, planRetarget } from './plan-line.ts';
import { planMove } from './plan-move.ts';
import { planAddStep } from './plan-step.ts';
import { planWrap } from './plan-wrap.ts';

/** The changes of a document that make an operation of its drawing. */
export function planGraphEdit(spec: Spec, document: JsonObject, operation: PlannedOperation): Plan {
  switch (operation.op) {
    case 'add_step':
      return planAddStep(spec, operation);
    case 'connect':
      return planConnect(spec, operation);
    case 'retarget':
      return planRetarget(spec, operation);
    case 'set_condition':
      return planCondition(spec, operation);
    case 'delete_line':
      return planDeleteLine(spec, operation);
    case 'set_fallback':
      return planFallback(spec, operation);
    case 'delete_step':
      return planDeleteStep(spec, operation);
    case 'move_step':
      return planMove(spec, operation);
    case 'wrap':
      return planWrap(spec, document, operation);
  }
}
