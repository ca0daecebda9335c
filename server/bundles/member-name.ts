const MAX_CHARACTERS = 512;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i;
const UNSAFE = /[\\:*?"<>|\p{Cc}]/u;

function isSafeSegment(segment: string): boolean {
  return segment !== '' && !/^\.{1,2}$/.test(segment) && !/[. ]$/.test(segment);
}

/**
 * True for a name that is one file below a folder on every system: no way up, no root or drive, no
 * device, nothing that a file system would write in another way.
 */
export function isSafeName(name: string): boolean {
  if (name.length > MAX_CHARACTERS || UNSAFE.test(name)) return false;
  if (!name.isWellFormed() || name.normalize('NFC') !== name) return false;
  return name.split('/').every((part) => isSafeSegment(part) && !RESERVED.test(part));
}

/** Names that some file system takes for one file have one key. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
