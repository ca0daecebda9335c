const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a byte outside of texts adds to the depth. */
const STEPS: ReadonlyMap<number, number> = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);

/** Index of the quote that ends the text begun at `from`. */
function endOfText(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** True when JSON text nests more than `max` lists and objects; texts inside of it do not count. */
export function nestsDeeper(json: Uint8Array, max: number): boolean {
  if (json.length <= max * 2) return false;
  let depth = 0;
  for (let at = 0; at < json.length && depth <= max; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfText(json, at);
    else depth += STEPS.get(byte) ?? 0;
  }
  return depth > max;
}
