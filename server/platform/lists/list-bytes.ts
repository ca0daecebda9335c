const COMMA = Buffer.from(',');

/**
 * A JSON object as UTF-8: the members of `before`, a list of items that are UTF-8 already, and the
 * members of `after`. Both are objects as JSON text; nothing is parsed.
 */
export function listBytes(
  before: string,
  name: string,
  items: readonly Uint8Array[],
  after = '{}',
): Uint8Array {
  const [first, last] = [before.slice(1, -1), after.slice(1, -1)];
  const head = `{${first}${first === '' ? '' : ','}${JSON.stringify(name)}:[`;
  const tail = `]${last === '' ? '' : ','}${last}}`;
  const parts = items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
  return Buffer.concat([Buffer.from(head), ...parts, Buffer.from(tail)]);
}
