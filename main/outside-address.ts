const MOST_CHARS = 2048;
const SCHEMES = new Set(['http:', 'https:']);

/**
 * An address that may be handed to the system's browser, as it is written there; undefined for any
 * other. A name before `@` could pass for the site, so that such an address is refused.
 */
export function outsideAddress(text: string): string | undefined {
  if (text.length > MOST_CHARS || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return SCHEMES.has(protocol) && username === '' && password === '' ? href : undefined;
}
