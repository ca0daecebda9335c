import type { Diagnostic } from '../diagnostic.ts';

/** A finding of severity error. */
export function fault(
  code: string,
  path: string,
  message: string,
  suggestion: string | null = null,
): Diagnostic {
  return { code, severity: 'error', message, path, suggestion };
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
