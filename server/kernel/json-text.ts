/**
 * One JSON object made of the texts of several that share no member; nothing is parsed. An empty
 * object adds nothing.
 */
export function joinObjectTexts(...texts: readonly string[]): string {
  const members = texts.map((text) => text.slice(1, -1)).filter((inside) => inside !== '');
  // Not `join`, which copies: a chain of joins so copies a long text once, when it is sent.
  const [first = '', ...more] = members;
  return `{${more.reduce((joined, inside) => `${joined},${inside}`, first)}}`;
}

/** A JSON list made of the texts of its items; nothing is parsed. */
export function listText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** One member of a JSON object as text, its value given as JSON text. */
export function memberText(name: string, value: string): string {
  return `{${JSON.stringify(name)}:${value}}`;
}
