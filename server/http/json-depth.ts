const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Sets the bit that `[` and `{`, `]` and `}` differ in. */
const CURLY = 0x20;
const OPENS = 0x7b;
const CLOSES = 0x7d;

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
    else if ((byte | CURLY) === OPENS) depth += 1;
    else if ((byte | CURLY) === CLOSES) depth -= 1;
  }
  return depth > max;
}
