/** How much a finding weighs; an error keeps a spec from being valid. */
export type Severity = 'error' | 'warning' | 'info';

/** One finding about a spec (spec-v1 6). `path` is dotted with `[i]` for list positions. */
export interface Diagnostic {
  code: string;
  severity: Severity;
  message: string;
  path: string | null;
  suggestion: string | null;
}
