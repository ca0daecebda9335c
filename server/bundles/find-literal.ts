import { isObject, type Json } from '../kernel/json.ts';
import { isPlaceholder, isReference } from '../kernel/secret-shapes.ts';
import { isChosen, namesSecret, secretsInText } from '../kernel/secrets-in-text.ts';

/** Fields that hold a secret whatever it looks like. */
const ALWAYS = /^(?:api_?key|password|authorization|client_?secret)$/i;
const NAMED = /\$\{\w+\}|\{\{/;

function isLiteral(key: string, text: string): boolean {
  if (text === '' || NAMED.test(text) || isReference(text) || isPlaceholder(text)) return false;
  return ALWAYS.test(key) || (namesSecret(key) && isChosen(text));
}

/** Where a document holds a secret instead of its name; undefined = nowhere. */
export function findLiteralSecret(value: Json, path = '', key = ''): string | undefined {
  if (typeof value === 'string') {
    return isLiteral(key, value) || secretsInText(value).length > 0 ? path : undefined;
  }
  const members = Array.isArray(value)
    ? value.map((item, index): [string, Json, string] => [`${path}[${index}]`, item, key])
    : isObject(value)
      ? Object.entries(value).map(([name, item]): [string, Json, string] => [
          path === '' ? name : `${path}.${name}`,
          item,
          name,
        ])
      : [];
  for (const [at, item, name] of members) {
    const found = findLiteralSecret(item, at, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The line of a text that holds what looks like a secret, from 1; undefined = none. */
export function findSecretLine(text: string): number | undefined {
  const [secret] = secretsInText(text);
  if (secret === undefined) return undefined;
  return text.slice(0, text.indexOf(secret)).split('\n').length;
}
