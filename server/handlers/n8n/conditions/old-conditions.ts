import type { JsonObject } from '../../../items/item.ts';
import type { ItemFields } from '../fields.ts';
import { listIn, objectIn } from '../settings.ts';
import { type OldType, oldField, oldHolds } from './old-operators.ts';
import type { TestPattern } from './patterns.ts';

interface OldCondition {
  readonly type: OldType;
  readonly operation: unknown;
  readonly left: unknown;
  readonly right: unknown;
}

/** The order in which the source judges them, whatever the order in the settings. */
const TYPES: readonly OldType[] = ['boolean', 'dateTime', 'number', 'string'];

/** Conditions of If 1 and Filter 1. */
export function readOldConditions(parameters: JsonObject): OldCondition[] {
  const conditions = objectIn(parameters, 'conditions');
  return TYPES.flatMap((type) =>
    listIn(conditions, type).map(({ operation, value1, value2 }) => ({
      type,
      operation,
      left: oldField(type, value1),
      right: oldField(type, value2),
    })),
  );
}

/** Whether all of them hold, or any. @throws FieldFailure */
export function oldConditionsHold(
  conditions: readonly OldCondition[],
  needsAll: boolean,
  fields: ItemFields,
  test: TestPattern,
): boolean {
  const holds = ({ type, operation, left, right }: OldCondition): boolean =>
    oldHolds(type, operation, [fields.known(left), fields.known(right)], test);
  return needsAll ? conditions.every(holds) : conditions.some(holds);
}
