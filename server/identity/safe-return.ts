/** A place of our own to go back to after sign-in; `/` for anything else. */
export function safeReturn(wanted: string | undefined): string {
  if (wanted === undefined || Buffer.byteLength(wanted) > 512) return '/';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them and see another address.
  if (!/^\/(?!\/)/.test(wanted) || /[\\\u0000-\u001f]/.test(wanted)) return '/';
  const base = 'http://specwright.invalid';
  return URL.canParse(wanted, base) && new URL(wanted, base).origin === base ? wanted : '/';
}
