import { t } from '../../../../preload/texts/t.ts';
import { readDraft, saveDrafts } from '../../../../server/contract/studio/drafts.ts';
import { call } from '../../../data/api-client.ts';
import { toApiError } from '../../../data/api-error.ts';
import { queryClient, routeKey } from '../../../data/query-client.ts';
import { invalidateAuthoring } from '../../../data/studio.ts';

/** A draft that is saved with others. */
export interface DraftChange {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  /** The revision that `before` stands for, or grew from. */
  readonly revision: string;
}

/** Saves drafts together or not at all; `onSaved` runs before their pages hear of it. Answers what takes it back. */
export async function saveTogether(
  projectId: string,
  changes: readonly DraftChange[],
  onSaved: () => void = () => undefined,
): Promise<readonly DraftChange[]> {
  const keyOf = (ref: string) => routeKey(readDraft, { params: { project_id: projectId, ref } });
  const stop = () =>
    Promise.all(changes.map(({ ref }) => queryClient.cancelQueries({ queryKey: keyOf(ref) })));
  await stop();
  const { drafts } = await call(saveDrafts, {
    params: { project_id: projectId },
    body: {
      drafts: changes.map(({ ref, after, revision }) => ({
        ...{ ref, text: after },
        expected_revision: revision,
      })),
    },
  });
  await stop();
  onSaved();
  const made = changes.map(({ ref, before, after, revision }) => ({
    ...{ ref, before: after, after: before },
    revision: drafts.find((one) => one.ref === ref)?.revision ?? revision,
  }));
  for (const { ref, before: text, revision } of made) {
    queryClient.setQueryData(keyOf(ref), { ref, text, revision });
  }
  await invalidateAuthoring();
  return made;
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** What a refusal of such a save says about the drafts; undefined where it says nothing of them. */
export function aboutDrafts(error: unknown): string | undefined {
  const { code, details } = toApiError(error);
  if (code === 'draft_stale') {
    const stale = names(details?.['paths']);
    if (stale.length > 0)
      return t('Changed meanwhile: {stale}. Nothing was saved.', { stale: stale.join(', ') });
  }
  if (code !== 'draft_write_failed') return undefined;
  const changed = names(details?.['changed']);
  return changed.length === 0
    ? undefined
    : t('Saved before the failure: {changed}.', { changed: changed.join(', ') });
}
