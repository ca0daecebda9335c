// As far as handlers use it: its own types bring those of Node into a room that has none.
export function stringify(
  rows: unknown[][],
  options: { readonly delimiter?: string; readonly eof?: boolean },
): string;
