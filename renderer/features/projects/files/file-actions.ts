import { t } from '../../../../preload/texts/t.ts';
import type { DraftKind } from '../../../../server/contract/studio/drafts.ts';
import {
  dropRegistration,
  readDraft,
  reassociateDraft,
  registerDraft,
} from '../../../../server/contract/studio/drafts.ts';
import {
  createFile,
  registerFiles,
  restoreDraft,
  trashDraft,
} from '../../../../server/contract/studio/tree.ts';
import { history, isAtPath, navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { exposureDigest, registerFile } from '../../../data/actions.ts';
import { call } from '../../../data/api-client.ts';
import { fileName } from '../../../data/draft-names.ts';
import { invalidateAuthoring } from '../../../data/studio.ts';
import { notifyDone, notifyError, notifyHint, notifyUndo } from '../../../ui/notify.tsx';
import { closeTab } from '../../../workbench/tabs-store.ts';
import type { ProjectFile } from './tree-rows.ts';

/** Makes files drafts that can be edited; tells how many were. */
export async function addSpecs(projectId: string, refs: readonly string[]): Promise<void> {
  try {
    const params = { project_id: projectId };
    const exposure_digest = await exposureDigest(projectId);
    const { registered, refused } = await call(registerFiles, {
      params,
      body: { paths: [...refs], capabilities: 'read_write', exposure_digest },
    });
    await invalidateAuthoring();
    const [first, second] = registered;
    if (refused.length > 0) {
      notifyHint(
        t('{count, plural, one {# file} other {# files}} could not be added: gone, or no text', {
          count: refused.length,
        }),
      );
    } else if (first !== undefined) {
      const what =
        second === undefined
          ? fileName(first)
          : t('{count, plural, one {# spec} other {# specs}}', { count: registered.length });
      notifyDone(t('Added {what} to the project', { what }));
    }
  } catch (error) {
    notifyError(t('Nothing was added'), error);
  }
}

/** Makes one file a draft of that kind and opens it. */
export async function addFile(projectId: string, ref: string, kind: DraftKind): Promise<void> {
  try {
    await registerFile(projectId, ref, kind);
    navigateTo(paths.draft(projectId, ref));
  } catch (error) {
    notifyError(t('{file} was not added', { file: fileName(ref) }), error);
  }
}

function leave(projectId: string, ref: string): void {
  closeTab(projectId, ref);
  if (isAtPath(history.location.pathname, paths.draft(projectId, ref))) {
    navigateTo(paths.project(projectId), { replace: true });
  }
}

/** Takes a draft off the list; a file that is there stays on disk. */
export async function removeFromList(projectId: string, file: ProjectFile): Promise<void> {
  const params = { project_id: projectId, ref: file.ref };
  try {
    await call(dropRegistration, { params });
    leave(projectId, file.ref);
    await invalidateAuthoring();
    notifyDone(
      file.missing
        ? t('Removed {name} from the list', { name: file.name })
        : t('Removed {name} from the list; its file stays', { name: file.name }),
    );
  } catch (error) {
    notifyError(t('{name} was not removed', { name: file.name }), error);
  }
}

/** Puts a deleted draft back, where it was or at `ref`. */
export async function putBack(projectId: string, entryId: string, ref?: string): Promise<void> {
  const params = { project_id: projectId, entry_id: entryId };
  const back = await call(restoreDraft, { params, body: ref === undefined ? {} : { ref } });
  await invalidateAuthoring();
  notifyDone(t('Put {file} back', { file: fileName(back.ref) }));
}

/** Deletes a draft into the project's trash and offers to take that back. */
export async function deleteFile(
  projectId: string,
  file: { readonly ref: string; readonly revision: string | null },
): Promise<void> {
  const name = fileName(file.ref);
  try {
    const { id } = await call(trashDraft, {
      params: { project_id: projectId },
      body: { ref: file.ref, expected_revision: file.revision ?? '' },
    });
    leave(projectId, file.ref);
    await invalidateAuthoring();
    notifyUndo(t('Moved {name} to the project’s trash', { name }), () => {
      putBack(projectId, id).catch((error) =>
        notifyError(t('{name} was not put back', { name }), error),
      );
    });
  } catch (error) {
    notifyError(t('{name} was not deleted', { name }), error);
  }
}

/** Creates a draft at a path of the project and opens it. @throws ApiError */
export async function createAt(projectId: string, path: string, text: string): Promise<void> {
  const params = { project_id: projectId };
  const made = await call(createFile, { params, body: { path, kind: 'spec', text } });
  await invalidateAuthoring();
  navigateTo(paths.draft(projectId, made.ref));
}

/** Creates a draft at a path with the saved text of another and opens it. @throws ApiError */
export async function duplicateTo(projectId: string, ref: string, path: string): Promise<void> {
  const { text } = await call(readDraft, { params: { project_id: projectId, ref } });
  await createAt(projectId, path, text);
}

/**
 * Lets a draft whose file is missing go on as another file. Its analyses follow when the bytes are
 * the same; the old one leaves the list. @throws ApiError
 */
export async function followMoved(
  projectId: string,
  file: ProjectFile,
  to: { readonly ref: string; readonly revision: string | null; readonly same: boolean },
): Promise<void> {
  const params = { project_id: projectId };
  const exposure_digest = await exposureDigest(projectId);
  const isSame = to.same && to.revision !== null;
  if (isSame && file.analysisIds.length > 0) {
    await call(reassociateDraft, {
      params,
      body: {
        old_ref: file.ref,
        new_ref: to.ref,
        expected_revision: to.revision,
        exposure_digest,
      },
    });
  } else {
    const kind = file.kind === 'overlay' || file.kind === 'skill_source' ? file.kind : 'spec';
    await call(registerDraft, {
      params,
      body: { path: to.ref, kind, capabilities: file.capabilities, exposure_digest },
    });
  }
  await call(dropRegistration, { params: { ...params, ref: file.ref } });
  closeTab(projectId, file.ref);
  await invalidateAuthoring();
  navigateTo(paths.draft(projectId, to.ref));
}
