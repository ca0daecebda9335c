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

function compareIdentifiers(one: string, other: string): number {
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (a && b) return Number(one) - Number(other);
  if (a !== b) return a ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

function comparePreviews(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  const [a, b] = [one.split('.'), other.split('.')];
  for (const [at, identifier] of a.entries()) {
    const against = b[at];
    if (against === undefined) return 1;
    const order = compareIdentifiers(identifier, against);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Below 0 when `one` is older than `other`, 0 when they are equal. @throws TypeError for what is no version */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [VERSION.exec(one), VERSION.exec(other)];
  if (a === null || b === null) throw new TypeError('a text that is no version was compared');
  for (const part of [1, 2, 3]) {
    const order = Number(a[part]) - Number(b[part]);
    if (order !== 0) return order;
  }
  return comparePreviews(a[4], b[4]);
}
