import { t } from '../../../preload/texts/t.ts';
import {
  type AuthoredArtifact,
  NO_OVERRIDES,
} from '../../../server/contract/studio/artifact-view.ts';

/** A version of a draft, with the one before it. */
export interface DraftVersionRow {
  readonly artifact: AuthoredArtifact;
  readonly before: AuthoredArtifact | undefined;
}

/** A draft and its versions, newest first. */
export interface VersionGroup {
  readonly ref: string;
  readonly rows: readonly DraftVersionRow[];
}

/**
 * Artifacts by their draft, the draft with the newest version first; the draft that is asked for
 * before all. `artifacts` are newest first.
 */
export function versionGroups(
  artifacts: readonly AuthoredArtifact[],
  asked: string | undefined,
): readonly VersionGroup[] {
  const groups = [...Map.groupBy(artifacts, ({ base }) => base.path)].map(([ref, own]) => ({
    ref,
    rows: own.map((artifact, at) => ({ artifact, before: own[at + 1] })),
  }));
  return groups.toSorted((a, b) => Number(b.ref === asked) - Number(a.ref === asked));
}

/** True for two versions of the same bytes: what they differ in is where and when they were made. */
export function isSameContent(a: AuthoredArtifact, b: AuthoredArtifact): boolean {
  const told = ({ base, overlays, overrides_sha256 }: AuthoredArtifact) =>
    JSON.stringify([base.revision, overlays.map(({ revision }) => revision), overrides_sha256]);
  return told(a) === told(b);
}

/** What is laid over the draft, in words. */
export function layersText({
  overlays,
  overrides_sha256,
}: Pick<AuthoredArtifact, 'overlays' | 'overrides_sha256'>): string {
  const parts = [
    ...(overlays.length > 0
      ? [t('{count, plural, one {# overlay} other {# overlays}}', { count: overlays.length })]
      : []),
    ...(overrides_sha256 === NO_OVERRIDES ? [] : ['overrides']),
  ];
  return parts.length === 0 ? t('none') : parts.join(', ');
}
