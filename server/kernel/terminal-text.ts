const COMMANDS = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu;

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The text with everything that a terminal would obey instead of showing (C0, DEL, C1, and the
 * controls that turn the reading direction) written as `\uXXXX`; tabs and line ends stay. JSON text
 * stays the same JSON.
 */
export function showControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(COMMANDS, asEscape);
}
