import { type JsonObject, setOwn } from '../kernel/json.ts';
import { holdsSecret } from '../kernel/secrets-in-text.ts';
import { splitTemplate } from './expressions/split-template.ts';
import { jsonOf, type TextRule } from './json-of.ts';
import { isPlainPlaceholder } from './placeholders.ts';
import type { Protector } from './secrets.ts';
import type { ValueMap } from './value.ts';

/** Stands in the place of what must not be carried. */
export const REDACTED = '<redacted>';

/** Texts of a source as a draft keeps them: whole, without secrets. */
export function keptText(protector: Protector): TextRule {
  return (key, text) => (holdsSecret(key) ? REDACTED : protector.scrub(text));
}

/** Only names of steps and fields stand in quotes, and beside the expressions at most a scheme. */
const NAMED = /(?:\$\(|\[)\s*(["'`])[^"'`]*\1\s*[\])]/g;
const SCHEME = /^\s*(?:(?:Bearer|Basic|Token)\s+)?$/i;

/** A variable of Dify, behind a scheme at most. */
const VARIABLE = /^\s*(?:(?:Bearer|Basic|Token)\s+)?\{\{#[\w.-]+#\}\}\s*$/i;

/** True for a text that says where a value is found, and holds nothing of its own. */
function isReference(text: string): boolean {
  if (VARIABLE.test(text)) return true;
  if (!text.startsWith('=') || !text.includes('{{')) return false;
  const body = text.slice(1).replace(NAMED, '');
  const texts = splitTemplate(body).map((part) => (part.kind === 'text' ? part.text : ''));
  return !/["'`]/.test(body) && SCHEME.test(texts.join(''));
}

/** {@link keptText} of what a step reads when it runs: where a secret is found or belongs is none. */
function carriedText(protector: Protector): TextRule {
  const kept = keptText(protector);
  return (key, text) => {
    const isNone = text === '' || isReference(text) || isPlainPlaceholder(text);
    return isNone && !protector.holds(text) ? text : kept(key, text);
  };
}

/** The settings of an element as data, in the form of the source. */
export function keptData(settings: ValueMap, protector: Protector): JsonObject {
  return data(settings, keptText(protector), protector);
}

/** {@link keptData} for a step that reads them when it runs. */
export function carriedData(settings: ValueMap, protector: Protector): JsonObject {
  return data(settings, carriedText(protector), protector);
}

function data(settings: ValueMap, rule: TextRule, protector: Protector): JsonObject {
  const scrub = (text: string): string => protector.scrub(text);
  const out: JsonObject = {};
  for (const [key, value] of settings) {
    const json = jsonOf(value, rule, key, scrub);
    if (json !== undefined) setOwn(out, scrub(key), json);
  }
  return out;
}
