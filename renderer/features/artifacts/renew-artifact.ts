import { t } from '../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { listDrafts } from '../../../server/contract/studio/drafts.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { declareNotApplicable, freeze, readComposition } from '../../data/artifact-actions.ts';
import { notifyDone, notifyHint } from '../../ui/notify.tsx';
import { renewedLayers } from './renewal-model.ts';

/**
 * Makes the artifact anew from its base as it is now, with its overlays and overrides, after the
 * assertion when asked to. Where an overlay changed or a layer is gone, its composition is opened.
 */
export async function renewArtifact(
  artifact: AuthoredArtifact,
  notApplicable: boolean,
): Promise<void> {
  const projectId = artifact.project_id;
  const drafts = await call(listDrafts, { params: { project_id: projectId } });
  const layers = renewedLayers(artifact, drafts);
  if (layers === undefined) {
    notifyHint(t('A layer changed or is gone: look at the composition before it is frozen'));
    navigateTo(paths.compose(projectId, { from: artifact.id }));
    return;
  }
  const { overrides } = await readComposition(projectId, artifact.id);
  if (notApplicable) {
    await declareNotApplicable(projectId, layers.base);
  }
  const next = await freeze(projectId, { ...layers, alias: artifact.alias, overrides });
  notifyDone(t('New version created'));
  navigateTo(paths.artifact(projectId, next.id));
}
