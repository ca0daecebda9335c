import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import type { DraftRef } from '../../../server/contract/studio/fields.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { notifyDone, notifyHint } from '../../ui/notify.tsx';
import { declareNotApplicable, freeze } from './artifact-queries.ts';

/** SHA-256 of the canonical text of `{}` (studio.md 7.1). */
const NO_OVERRIDES = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';

/**
 * Makes the artifact anew from its drafts as they are now, after the assertion when asked to.
 * Overrides live in the artifact alone, so one that has some is composed again in the editor.
 */
export async function renewArtifact(
  artifact: AuthoredArtifact,
  drafts: readonly DraftSummary[],
  notApplicable: boolean,
): Promise<void> {
  const projectId = artifact.project_id;
  const current = (ref: DraftRef): DraftRef => ({
    path: ref.path,
    revision: drafts.find((draft) => draft.ref === ref.path)?.revision ?? ref.revision,
  });
  const base = current(artifact.base);
  if (notApplicable) {
    await declareNotApplicable(projectId, base);
  }
  if (artifact.overrides_sha256 !== NO_OVERRIDES) {
    notifyHint('Compose the artifact again from the draft: it had overrides of its own');
    navigateTo(paths.draft(projectId, base.path));
    return;
  }
  const next = await freeze(projectId, {
    base,
    alias: artifact.alias,
    overlays: artifact.overlays.map(current),
    overrides: {},
  });
  notifyDone('New artifact created');
  navigateTo(paths.artifact(projectId, next.id));
}
