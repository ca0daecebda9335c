const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...LETTERS, '-', '_'].map((letter, at) => [letter, at < 64 ? at : at - 2]));

/** The bytes of a text in UTF-8; halves of pairs become U+FFFD. */
export function toUtf8(text: string): number[] {
  const bytes: number[] = [];
  for (const letter of text) {
    const point = letter.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000)
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else
      bytes.push(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 63),
        0x80 | ((code >> 6) & 63),
        0x80 | (code & 63),
      );
  }
  return bytes;
}

function lengthOf(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

const SMALLEST = [0, 0, 0x80, 0x800, 0x10000];

function pointAt(bytes: ArrayLike<number>, at: number, length: number): number | undefined {
  let point = length === 1 ? (bytes[at] ?? 0) : (bytes[at] ?? 0) & (0xff >> (length + 1));
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return undefined;
    point = (point << 6) | (byte & 63);
  }
  if (point < (SMALLEST[length] ?? 0) || point > 0x10ffff) return undefined;
  return point >= 0xd800 && point <= 0xdfff ? undefined : point;
}

/** The text of bytes in UTF-8; what is none becomes U+FFFD. */
export function fromUtf8(bytes: ArrayLike<number>): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at] ?? 0);
    const point = length === 0 ? undefined : pointAt(bytes, at, length);
    parts.push(point === undefined ? '\ufffd' : String.fromCodePoint(point));
    at += point === undefined ? 1 : length;
  }
  return parts.join('');
}

export function encodeBase64(bytes: ArrayLike<number>): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const all = (a << 16) | (b << 8) | c;
    const left = bytes.length - at;
    parts.push(
      (LETTERS[all >> 18] ?? '') + (LETTERS[(all >> 12) & 63] ?? ''),
      left > 1 ? (LETTERS[(all >> 6) & 63] ?? '') : '=',
      left > 2 ? (LETTERS[all & 63] ?? '') : '=',
    );
  }
  return parts.join('');
}

/** Reads both alphabets and passes over what belongs to neither. */
export function decodeBase64(text: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    if (letter === '=') break;
    const value = VALUES.get(letter);
    if (value === undefined) continue;
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return bytes;
}
