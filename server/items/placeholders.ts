const NAME = /\{([A-Za-z_][\w-]*)\}/y;

/** A name in braces, in whose place a tool has what the model gives under it. */
export interface Placeholder {
  readonly name: string;
  readonly at: number;
  readonly end: number;
}

/** Where an expression that begins at a place ends; negative when it is none, or not closed. */
function endOfExpression(text: string, at: number): number {
  const close = text.startsWith('{{', at) ? text.indexOf('}}', at + 2) : -1;
  return close < 0 ? -1 : close + 2;
}

/** The names in braces of a text, but none within an expression. Reads the text once. */
export function placeholdersIn(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  // Behind the last `}}` no expression is closed, so that nothing looks for its end again.
  const lastClose = text.lastIndexOf('}}');
  for (let at = text.indexOf('{'); at >= 0; ) {
    let end = at < lastClose ? endOfExpression(text, at) : -1;
    if (end < 0) {
      NAME.lastIndex = at;
      const name = NAME.exec(text)?.[1];
      end = name === undefined ? at + 1 : NAME.lastIndex;
      if (name !== undefined) found.push({ name, at, end });
    }
    at = text.indexOf('{', end);
  }
  return found;
}
