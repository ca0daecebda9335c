/** Replaces the text between two offsets. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text after edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let out = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + text.slice(at);
}

/** Plain text that would end early inside `{…}` or `[…]` is quoted. */
export function flowSafe(written: string, value: string): string {
  return /[,[\]{}]/.test(written) && !written.startsWith('"') ? JSON.stringify(value) : written;
}
