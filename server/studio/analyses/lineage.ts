import { compareVersions } from '../../importers/versions.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';

/** What the order inside a lineage looks at. */
export interface LineageMember {
  readonly id: string;
  readonly importer_version: string;
  readonly analyzer_version: string;
  readonly state: 'active' | 'quarantined';
}

/** Importer version, then analyzer version, then id; undefined when a version cannot be read. */
export function compareMembers(a: LineageMember, b: LineageMember): number | undefined {
  const importer = compareVersions(a.importer_version, b.importer_version);
  const analyzer = compareVersions(a.analyzer_version, b.analyzer_version);
  if (importer === undefined || analyzer === undefined) return undefined;
  return importer || analyzer || compareCodePoints(a.id, b.id);
}

function isReadable(member: LineageMember): boolean {
  return compareMembers(member, member) !== undefined;
}

/**
 * The head of a lineage: the greatest active member; nobody when none is active, or when some
 * version cannot be read and the lineage is therefore unordered (studio.md 15).
 */
export function electLineage(members: readonly LineageMember[]): {
  ordered: boolean;
  elected: string | null;
} {
  if (!members.every(isReadable)) return { ordered: false, elected: null };
  let best: LineageMember | undefined;
  for (const member of members) {
    if (member.state !== 'active') continue;
    if (best === undefined || (compareMembers(member, best) ?? 0) > 0) best = member;
  }
  return { ordered: true, elected: best?.id ?? null };
}
