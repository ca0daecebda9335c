import { readPattern } from './search-pattern.ts';

/** The editor asks for the same patterns at every keystroke. */
const KNOWN = new Map<string, string | undefined>();
const MOST_KNOWN = 1000;

function faultOf(pattern: string): string | undefined {
  try {
    readPattern(pattern);
    return undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return cause.message.replace(/\.$/, '');
    throw cause;
  }
}

/** Why a text is no pattern of a guardrail (spec-v1 11.4); undefined when it is one. */
export function patternFault(pattern: string): string | undefined {
  if (KNOWN.has(pattern)) return KNOWN.get(pattern);
  const found = faultOf(pattern);
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  KNOWN.set(pattern, found);
  return found;
}
