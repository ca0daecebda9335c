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

/** A change of the place of a finding that answers it. */
export type Mend =
  | { readonly change: 'rename'; readonly to: string }
  | { readonly change: 'set_type'; readonly type: 'keyword' | 'regex' }
  /** Writes a value anew in which a name was changed. */
  | { readonly change: 'write'; readonly from: string; readonly to: string; readonly value: string }
  | { readonly change: 'quote' | 'make_list' | 'remove' };

/** What to do about a finding, in words and as a change that an editor can make. */
export interface Advice {
  readonly text: string;
  readonly mend: Mend;
}

/** A finding as the rules give it, with what an editor can answer it by; answers leave that out. */
export interface Finding extends Diagnostic {
  readonly missing?: MissingName;
  readonly mend?: Mend;
}

/** A finding with what to do about it. */
export function findingOf(
  severity: Severity,
  code: string,
  path: string | null,
  message: string,
  advice: Advice | string | null,
): Finding {
  return advice === null || typeof advice === 'string'
    ? { code, severity, message, path, suggestion: advice }
    : { code, severity, message, path, suggestion: advice.text, mend: advice.mend };
}

/** A finding as answers hold it. */
export function asAnswered(finding: Finding): Diagnostic {
  const { missing, mend, ...diagnostic } = finding;
  return missing === undefined && mend === undefined ? finding : diagnostic;
}
