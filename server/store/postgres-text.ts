// PostgreSQL takes no U+0000 in a text, but texts of other programs hold it. It is stored as two
// characters, the first of which is none (Unicode keeps it for such uses), and so is that one.

const MARK = '\uFFFE';
const PLAIN = /[\0\uFFFE]/;

/** A text as PostgreSQL can hold it; equal texts stay equal, others stay different. */
export function encodeText(text: string): string {
  if (!PLAIN.test(text)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

/** The text that `encodeText` was given. */
export function decodeText(stored: string): string {
  if (!stored.includes(MARK)) return stored;
  return stored.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK);
}
