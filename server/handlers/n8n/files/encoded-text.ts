const LATIN = /^(latin-?1|iso-?8859-?1|binary|ascii|us-ascii|windows-?1252)$/i;
const UTF16 = /^(utf-?16(-?le)?|ucs-?2)$/i;

/** A text in bytes; in UTF-8 where the encoding is none of the others that are known. */
export function encodedText(text: string, encoding: string): Uint8Array {
  if (LATIN.test(encoding))
    return Uint8Array.from(text, (letter) => {
      const code = letter.charCodeAt(0);
      return code < 256 ? code : 63;
    });
  if (!UTF16.test(encoding)) return new TextEncoder().encode(text);
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]));
}
