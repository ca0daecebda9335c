import { compareParts, partsOfVersion } from '../../server/kernel/version-order.ts';

/** Versions as semver.org orders them; build metadata after `+` does not count. */
const VERSION =
  /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,60}))?(?:\+[0-9A-Za-z.-]{1,60})?$/;

/** True for a text that is a version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** True for a version that comes before the one that it is named for, such as `1.2.0-beta.1`. */
export function isPreview(version: string): boolean {
  return VERSION.exec(version)?.[4] !== undefined;
}

/** Below 0 when `one` is older than `other`, 0 when they are equal. @throws TypeError for what is no version */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [VERSION.exec(one), VERSION.exec(other)];
  if (a === null || b === null) throw new TypeError('a text that is no version was compared');
  return compareParts(partsOfVersion(a), partsOfVersion(b));
}
