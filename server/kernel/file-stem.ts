const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$/;
const MAX_STEM = 96;

function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && '-._'.includes(text.charAt(start))) start += 1;
  while (end > start && '-._'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/**
 * A file name without its end, made of the last segment of a name (importers 1, "Draft name"): small
 * ASCII letters, digits, dots, hyphens and underscores. Undefined when nothing usable is left.
 */
export function fileStem(name: string): string | undefined {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\0-\x7f]/g, '')
    .toLowerCase()
    .replaceAll('\\', '/');
  const segment = ascii.slice(ascii.lastIndexOf('/') + 1);
  const words = strip(segment.replace(/[^a-z0-9._-]+/g, '-'));
  const stem = strip(words.replace(/\.(?:json|ya?ml)$/, '').slice(0, MAX_STEM));
  return stem === '' || RESERVED.test(stem) ? undefined : stem;
}

/**
 * The same of a name in which a slash is just a letter, such as a title that somebody typed; a dash
 * between words is one hyphen.
 */
export function fileStemOfTitle(title: string): string | undefined {
  return fileStem(title.replaceAll(/[\\/\s-]+/g, ' '));
}
