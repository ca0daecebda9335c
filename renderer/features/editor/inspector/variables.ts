import type { Variable } from '../spec-protocol.ts';

/** What of a text a variable would take the place of, and those that fit. */
export interface VariableMatch {
  readonly start: number;
  readonly options: readonly Variable[];
}

const OPEN = /\{\{[^{}]*$|\$[\w('"[\].]*$/;
const MOST = 12;

function bare(text: string): string {
  return text
    .replace(/^\{\{\s*#?/, '')
    .trim()
    .toLowerCase();
}

/** The variables that fit what stands before the caret; with `asked` also where nothing was begun. */
export function variablesBefore(
  text: string,
  caret: number,
  variables: readonly Variable[],
  asked: boolean,
): VariableMatch | null {
  const before = text.slice(0, caret);
  const start = before.search(OPEN);
  if (start < 0 && !asked) return null;
  const typed = start < 0 ? '' : bare(before.slice(start));
  const options = variables.filter(({ insert, about }) =>
    `${insert} ${about}`.toLowerCase().includes(typed),
  );
  return options.length === 0
    ? null
    : { start: start < 0 ? caret : start, options: options.slice(0, MOST) };
}

function withoutBraces(insert: string): string {
  const inner = insert.startsWith('{{') ? insert.slice(2) : insert;
  return (inner.endsWith('}}') ? inner.slice(0, -2) : inner).trim();
}

/** A text with a variable in place of what was begun, and where the caret stands then. */
export function withVariable(
  text: string,
  caret: number,
  start: number,
  { insert }: Variable,
): { readonly text: string; readonly caret: number } {
  const inside = text.lastIndexOf('{{', start) > text.lastIndexOf('}}', start);
  const isOpen = inside && !text.startsWith('{{', start);
  const written = isOpen ? withoutBraces(insert) : insert;
  const rest = text.slice(caret);
  const tail = isOpen ? rest : rest.replace(/^\s*\}\}/, '');
  return { text: text.slice(0, start) + written + tail, caret: start + written.length };
}
