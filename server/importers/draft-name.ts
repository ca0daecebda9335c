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
 * File name of the draft made from an import (importers 1, "Draft name"): always ends in `.yaml`.
 * Absent, empty and reserved names fall back to `import-<first 12 hex of the source's hash>`.
 */
export function draftName(sourceName: string | null | undefined, sourceSha256: string): string {
  const ascii = (sourceName ?? '')
    .normalize('NFKD')
    .replace(/[^\0-\x7f]/g, '')
    .toLowerCase()
    .replaceAll('\\', '/');
  const segment = ascii.slice(ascii.lastIndexOf('/') + 1);
  const words = strip(segment.replace(/[^a-z0-9._-]+/g, '-'));
  const stem = strip(words.replace(/\.(?:json|ya?ml)$/, '').slice(0, MAX_STEM));
  const usable = stem !== '' && !RESERVED.test(stem);
  return `${usable ? stem : `import-${sourceSha256.slice(0, 12)}`}.yaml`;
}
