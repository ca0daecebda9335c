/** Machine name of an element's own name: lower case, `_` for everything else; may be empty. */
export function machineName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');
}
