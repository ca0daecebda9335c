import { isHeavier } from '../../kernel/json-weight.ts';
import { redactValue } from '../../kernel/redact.ts';

/** Values that weigh more are not sent: redacting and carrying them would cost the run. */
const MOST = 65_536;
const TOO_LARGE = '[not recorded: larger than 64 KB]';

/** A value as the text of an attribute, redacted (contract/platform.md 9). */
export function shownValue(value: unknown): string {
  if (isHeavier(value, MOST)) return TOO_LARGE;
  const redacted = redactValue(value);
  return typeof redacted === 'string' ? redacted : JSON.stringify(redacted);
}
