import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { redactMember, redactText, redactValue, scrubPaths } from '../kernel/redact.ts';

export { redactMember, redactText, scrubPaths };

/** The object with secret-looking text masked, by key and by text (contract/platform.md 9). */
export function redactObject(value: JsonObject): JsonObject {
  const redacted: unknown = redactValue(value);
  return isJsonObject(redacted) ? redacted : {};
}

/** A parsed JSON text that must be an object; `{}` when it is none. */
export function parseObject(text: string | null): JsonObject {
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

/** A parsed JSON text that must be a list of texts. */
export function parseTexts(text: string): string[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
