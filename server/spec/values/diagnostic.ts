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

/** A name that is used and declared nowhere, and what it should be the name of. */
export interface MissingName {
  readonly kind: 'agent' | 'workflow' | 'function' | 'human' | 'tool' | 'skill' | 'mcp_server';
  readonly name: string;
}

/** A finding as the rules give it, with what an editor can answer it by; answers leave that out. */
export interface Finding extends Diagnostic {
  readonly missing?: MissingName;
}
