/** An address as people are shown it: what may hold a secret is left out; null for what is none. */
export function bareAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, pathname } = new URL(text);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}
