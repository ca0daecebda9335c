import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import type { DraftRef } from '../../../server/contract/studio/fields.ts';

/**
 * The layers of an artifact as their drafts are now, its base and then its overlays; undefined when
 * that wants a look first: an overlay changed, or a layer is gone.
 */
export function renewedLayers(
  artifact: Pick<AuthoredArtifact, 'base' | 'overlays'>,
  drafts: readonly DraftSummary[],
): { readonly base: DraftRef; readonly overlays: readonly DraftRef[] } | undefined {
  const revisionOf = (path: string) => drafts.find(({ ref }) => ref === path)?.revision;
  const base = revisionOf(artifact.base.path);
  const same = artifact.overlays.every(({ path, revision }) => revisionOf(path) === revision);
  if (typeof base !== 'string' || !same) return undefined;
  return { base: { path: artifact.base.path, revision: base }, overlays: artifact.overlays };
}
