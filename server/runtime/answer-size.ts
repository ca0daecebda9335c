import { EffectFailure } from './run-effects.ts';

/** Characters of one answer of a function; one of a text and members of lists and objects. */
const MAX_ANSWER_CHARS = 10 * 1024 * 1024;
const CHARS_OF_VALUE = 8;

function isSmall(value: unknown): boolean {
  let left = MAX_ANSWER_CHARS;
  const open: unknown[] = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    left -= CHARS_OF_VALUE;
    if (typeof next === 'string') left -= next.length;
    else if (typeof next === 'object' && next !== null) {
      const members = Object.values(next);
      if (members.length * CHARS_OF_VALUE > left) return false;
      for (const member of members) open.push(member);
    }
  }
  return left >= 0;
}

/**
 * Looks at an answer of code in this process before it is copied or written.
 * @throws EffectFailure when it is too large.
 */
export function refuseHugeAnswer(name: string, value: unknown): void {
  if (isSmall(value)) return;
  throw new EffectFailure(
    `'${name}' answered with more than ${MAX_ANSWER_CHARS / 1024 / 1024} MiB. Answer with less, such as a name under which the rest is kept.`,
    { type: 'ValueError', retryable: false },
  );
}
