/** Raised with any change of lowering, severities or cards (decisions 17). */
export const ANALYZER_VERSION = '1.2.0';

/** Source id → version; raised with any change of that adapter's output (decisions 17). */
export const IMPORTER_VERSIONS: Readonly<Record<string, string>> = {
  n8n: 'n8n@1.2.0',
  dify: 'dify@1.1.0',
  crewai: 'crewai@1.0.0',
  flowise: 'flowise@1.0.0',
};

const SEMVER =
  /^(?:[a-z0-9_-]+@)?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

interface Version {
  numbers: [bigint, bigint, bigint];
  pre: string[];
}

function parseVersion(text: string): Version | undefined {
  const match = SEMVER.exec(text);
  if (match === null) return undefined;
  const [, major = '0', minor = '0', patch = '0', pre] = match;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    pre: pre === undefined ? [] : pre.split('.'),
  };
}

function comparePart(a: string, b: string): number {
  const numericA = /^\d+$/.test(a);
  const numericB = /^\d+$/.test(b);
  if (numericA && numericB) {
    const left = BigInt(a);
    const right = BigInt(b);
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }
  if (numericA !== numericB) return numericA ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const order = comparePart(a[i] ?? '', b[i] ?? '');
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

/**
 * Semantic-version precedence of two versions, with or without a `<source>@` prefix: negative, zero
 * or positive; undefined when either cannot be read.
 */
export function compareVersions(a: string, b: string): number | undefined {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left === undefined || right === undefined) return undefined;
  for (let i = 0; i < 3; i += 1) {
    const x = left.numbers[i] ?? 0n;
    const y = right.numbers[i] ?? 0n;
    if (x !== y) return x < y ? -1 : 1;
  }
  return comparePre(left.pre, right.pre);
}

/** Age of a stored analysis against the running analyzer (importers 11). */
export function analyzerAge(stored: string): 'current' | 'older' | 'newer' | 'unknown' {
  const order = compareVersions(stored, ANALYZER_VERSION);
  if (order === undefined) return 'unknown';
  if (order === 0) return 'current';
  return order < 0 ? 'older' : 'newer';
}
