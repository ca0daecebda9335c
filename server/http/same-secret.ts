import { createHash, timingSafeEqual } from 'node:crypto';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares two secrets without telling how much of them agrees. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** True when the text is one of the secrets. Takes the same time whatever the answer is. */
export function isOneOf(given: string, secrets: readonly string[]): boolean {
  let found = false;
  for (const secret of secrets) found = sameSecret(given, secret) || found;
  return found;
}
