import type { Diagnostic, Finding, MissingName } from '../values/diagnostic.ts';

/** A finding of severity error. */
export function fault(
  code: string,
  path: string,
  message: string,
  suggestion: string | null = null,
): Diagnostic {
  return { code, severity: 'error', message, path, suggestion };
}

/** An error about a name that is declared nowhere. */
export function unknownName(
  code: string,
  path: string,
  missing: MissingName,
  message: string,
  suggestion: string | null,
): Finding {
  return { ...fault(code, path, message, suggestion), missing };
}

/** A finding of severity warning. */
export function warning(
  code: string,
  path: string,
  message: string,
  suggestion: string | null = null,
): Diagnostic {
  return { code, severity: 'warning', message, path, suggestion };
}
