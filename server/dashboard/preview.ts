/** Letters of a text that a row shows. */
const PREVIEW = 240;

/** The first words of a text on one line; null when there are none. */
export function previewOf(value: string | null | undefined): string | null {
  const line = (value ?? '')
    .slice(0, 4 * PREVIEW)
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return null;
  return line.length > PREVIEW ? `${line.slice(0, PREVIEW).trimEnd()}…` : line;
}

/** Letters of a text that a conversation shows. */
const EXCERPT = 1_500;

/** The beginning of a text with its lines as they are; null when there is none. */
export function excerptOf(value: string | null | undefined): string | null {
  const text = (value ?? '').slice(0, EXCERPT + 1).trim();
  if (text === '') return null;
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT).trimEnd()}…` : text;
}
