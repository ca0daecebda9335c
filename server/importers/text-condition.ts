import type { Condition } from '../spec/schema/spec-types.ts';

/** The condition that compares a step's text with a value, by the source's word for it; undefined for other words. */
export function textCondition(
  operation: unknown,
  value: string,
  case_sensitive: boolean,
): Condition | undefined {
  const equals: Condition = { type: 'output_equals', value, case_sensitive };
  const contains: Condition = { type: 'output_contains', value, case_sensitive };
  switch (operation) {
    case 'equals':
    case 'equal':
      return equals;
    case 'notEquals':
    case 'notEqual':
      return { type: 'not', condition: equals };
    case 'contains':
      return contains;
    case 'notContains':
      return { type: 'not', condition: contains };
    default:
      return undefined;
  }
}
