/** A path or address without the slashes at its end, so that another path can follow it. */
export function withoutTrailingSlashes(text: string): string {
  // A run of slashes is tried once, from its first one.
  return text.replace(/(?<!\/)\/+$/, '');
}
