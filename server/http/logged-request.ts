import querystring from 'node:querystring';
import { isObject } from '../kernel/json.ts';
import { redactText } from '../kernel/redact.ts';

/** A path for the log; one that holds a secret stands there decoded, with the secret masked. */
export function loggedPath(path: string): string {
  const plain = querystring.unescape(path);
  const masked = redactText(plain);
  return masked === plain ? path : masked;
}

/** A text of a request for the log. */
export function loggedText(text: string | null): string | null {
  return text === null ? null : redactText(text);
}

/** Parameters of a path for the log. */
export function loggedParams(params: unknown): Record<string, unknown> {
  if (!isObject(params)) return {};
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? redactText(value) : value,
    ]),
  );
}
