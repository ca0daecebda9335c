const PLAIN_WORD = /^[\p{L}\p{N}_@/-](?:[\p{L}\p{N}_@/:.-]*[\p{L}\p{N}_@/-])?$/u;
const BREAKS_QUOTES = /["\p{Cc}\u2028\u2029]/u;

/**
 * A text of the source as the words of a gap say it: in quotes, unless it is one plain word, so that
 * its own commas and stops are not read as those of the sentence. Undefined for one that quotes on
 * one line cannot hold.
 */
export function toldValue(text: string): string | undefined {
  if (PLAIN_WORD.test(text)) return text;
  return BREAKS_QUOTES.test(text) ? undefined : `"${text}"`;
}
