import { type JsonObject, setOwn } from '../kernel/json.ts';
import { holdsSecret } from '../kernel/secrets-in-text.ts';
import { jsonOf, type TextRule } from './json-of.ts';
import type { Protector } from './secrets.ts';
import type { ValueMap } from './value.ts';

/** Stands in the place of what must not be carried. */
export const REDACTED = '<redacted>';

/** Texts of a source as a draft keeps them: whole, without secrets. */
export function keptText(protector: Protector): TextRule {
  return (key, text) => (holdsSecret(key) ? REDACTED : protector.scrub(text));
}

/** The settings of an element as data, in the form of the source. */
export function keptData(settings: ValueMap, protector: Protector): JsonObject {
  const rule = keptText(protector);
  const scrub = (text: string): string => protector.scrub(text);
  const out: JsonObject = {};
  for (const [key, value] of settings) {
    const json = jsonOf(value, rule, key, scrub);
    if (json !== undefined) setOwn(out, scrub(key), json);
  }
  return out;
}
