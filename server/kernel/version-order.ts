/** A semantic version, taken apart. */
export interface VersionParts {
  /** Major, minor, patch. */
  readonly numbers: readonly bigint[];
  /** What stands after the hyphen, at its dots; empty for a release. */
  readonly preview: readonly string[];
}

/** The parts in a match whose groups are major, minor, patch and what stands after the hyphen. */
export function partsOfVersion(match: RegExpExecArray): VersionParts {
  const [, major = '0', minor = '0', patch = '0', preview] = match;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    preview: preview === undefined ? [] : preview.split('.'),
  };
}

function order<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareIdentifiers(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return order(BigInt(a), BigInt(b));
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return order(a, b);
}

function comparePreviews(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const found = compareIdentifiers(a[at] ?? '', b[at] ?? '');
    if (found !== 0) return found;
  }
  return Math.sign(a.length - b.length);
}

/** Precedence as semver.org has it: -1 when `a` is the older version, 0 when neither is, 1 otherwise. */
export function compareParts(a: VersionParts, b: VersionParts): number {
  for (let at = 0; at < 3; at += 1) {
    const found = order(a.numbers[at] ?? 0n, b.numbers[at] ?? 0n);
    if (found !== 0) return found;
  }
  return comparePreviews(a.preview, b.preview);
}
