/** A JSON object or list, indented; undefined for any other text. */
export function jsonIn(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}

/** Text that is a JSON object or list, indented; other text as it is. */
export function readableText(text: string): string {
  return jsonIn(text) ?? text;
}
