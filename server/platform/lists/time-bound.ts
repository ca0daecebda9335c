import { parseQueryTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import { refuse } from '../refuse.ts';

/** A bound of a list in the stored form. @throws Refusal `invalid_timestamp` naming the parameter. */
export function timeBound(
  name: 'created_after' | 'created_before',
  text: string | undefined,
): string | undefined {
  if (text === undefined) return undefined;
  const at = parseQueryTimestamp(text);
  if (at === undefined) {
    throw refuse('invalid_timestamp', {
      message: `${name} is not an ISO-8601 timestamp.`,
      details: { param: name },
    });
  }
  return toTimestamp(at);
}
