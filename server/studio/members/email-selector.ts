/** ASCII letters in lower case; others stay, as a mailbox may tell them apart. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * A mail address as invitations keep and compare it: a domain is the same in any case, what stands
 * before it is not (studio.md 6.8). Undefined for a text that is no address.
 */
export function emailSelector(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  if (at < 1 || at === address.length - 1) return undefined;
  return address.slice(0, at + 1) + lowerAscii(address.slice(at + 1));
}
