import { compareParts, partsOfVersion } from '../kernel/version-order.ts';

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

/**
 * Semantic-version precedence of two versions, with or without a `<source>@` prefix: negative, zero
 * or positive; undefined when either cannot be read.
 */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [SEMVER.exec(a), SEMVER.exec(b)];
  if (left === null || right === null) return undefined;
  return compareParts(partsOfVersion(left), partsOfVersion(right));
}

/** Age of a stored analysis against the running analyzer (importers 11). */
export function analyzerAge(stored: string): 'current' | 'older' | 'newer' | 'unknown' {
  const order = compareVersions(stored, ANALYZER_VERSION);
  if (order === undefined) return 'unknown';
  if (order === 0) return 'current';
  return order < 0 ? 'older' : 'newer';
}
