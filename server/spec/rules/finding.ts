import { type Advice, type Finding, findingOf, type MissingName } from '../values/diagnostic.ts';

/** A finding of severity error. */
export function fault(
  code: string,
  path: string,
  message: string,
  advice: Advice | string | null = null,
): Finding {
  return findingOf('error', code, path, message, advice);
}

/** An error about a name that is declared nowhere. */
export function unknownName(
  code: string,
  path: string,
  missing: MissingName,
  message: string,
  advice: Advice | string | null,
): Finding {
  return { ...fault(code, path, message, advice), missing };
}

/** A finding of severity warning. */
export function warning(
  code: string,
  path: string,
  message: string,
  advice: Advice | string | null = null,
): Finding {
  return findingOf('warning', code, path, message, advice);
}
