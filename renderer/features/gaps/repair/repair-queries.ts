import { t } from '../../../../preload/texts/t.ts';
import { getAnalysis, getAnalysisCanvas } from '../../../../server/contract/studio/analyses.ts';
import { readDraft } from '../../../../server/contract/studio/drafts.ts';
import { workflowKey } from '../../../../server/gaps/estate/repairs.ts';
import { gapsOfCause } from '../../../../server/gaps/estate/shared-causes.ts';
import { call } from '../../../data/api-client.ts';
import { ApiError } from '../../../data/api-error.ts';
import { askDraft } from '../draft/draft-client.ts';
import { type DraftAt, writeDraftText } from '../gap-queries.ts';
import type { Outcome, RepairDraft, RepairFile } from './repair-model.ts';

const AT_ONCE = 4;

/** Does something for each, a few at a time, until `signal` ends it. */
export async function forEachOf<T>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (signal?.aborted === true) {
        return;
      }
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Reads a draft with its gaps of one cause; undefined when it is gone. */
export async function readRepairDraft(
  projectId: string,
  file: RepairFile,
  causeId: string,
): Promise<RepairDraft | undefined> {
  const { analysisId, draft: ref, name } = file;
  const params = { project_id: projectId, analysis_id: analysisId };
  try {
    const [analysis, canvas, draft] = await Promise.all([
      call(getAnalysis, { params }),
      call(getAnalysisCanvas, { params }),
      call(readDraft, { params: { project_id: projectId, ref } }),
    ]);
    const types = new Map(canvas.nodes.map((node) => [node.source_id, node.type]));
    const gaps = gapsOfCause(analysis.gaps, (id) => types.get(id), causeId).map((gap) => ({
      id: gap.ref.gap_id,
      gap,
    }));
    const { text, revision } = draft;
    const prepared = await askDraft('prepare', { text, file: ref, canvas, gaps });
    return { ref, name, workflow: workflowKey(file), text, revision, ...prepared };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'draft_not_found') {
      return undefined;
    }
    throw error;
  }
}

/** Saves an edit at the revision that it was made of. */
export async function saveEdit(
  projectId: string,
  draft: RepairDraft,
  text: string,
): Promise<Outcome> {
  try {
    const at: DraftAt = { path: draft.ref, revision: draft.revision };
    const revision = await writeDraftText(projectId, at, text);
    return { state: 'saved', revision, before: draft.text };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'draft_stale') {
      return { state: 'moved', reason: t('Somebody saved it meanwhile; it is read anew') };
    }
    return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
