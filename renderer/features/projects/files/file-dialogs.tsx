import { Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { listMoved } from '../../../../server/contract/studio/tree.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { renameDraft } from '../../../data/actions.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { useAction } from '../../../data/use-action.ts';
import { AskForm } from '../../../ui/ask-form.tsx';
import { PathDialog } from '../../../ui/path-dialog.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { closeTab, openTab } from '../../../workbench/tabs-store.ts';
import { BLANK_SPEC } from '../blank-spec.ts';
import { createAt, duplicateTo, followMoved } from './file-actions.ts';
import { TrashDialog } from './trash-dialog.tsx';
import type { ProjectFile } from './tree-rows.ts';

/** What the tree asks about. */
export type FileDialog =
  | { readonly kind: 'rename' | 'duplicate' | 'moved'; readonly file: ProjectFile }
  | { readonly kind: 'create'; readonly folder: string }
  | { readonly kind: 'trash' };

interface DialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

/** `a/b.yaml` → `a/b-copy.yaml`. */
function copyOf(ref: string): string {
  return ref.replace(/(\.[^./]*)?$/, (end) => `-copy${end}`);
}

/** The dialog that the tree has open. */
export function FileDialogs(props: DialogProps & { readonly dialog: FileDialog }) {
  const { dialog, projectId, onClose } = props;
  switch (dialog.kind) {
    case 'trash':
      return <TrashDialog projectId={projectId} onClose={onClose} />;
    case 'moved':
      return <MovedDialog projectId={projectId} file={dialog.file} onClose={onClose} />;
    case 'create':
      return (
        <PathDialog
          title={t('New file')}
          description={t('A file of the project with the smallest spec that runs.')}
          initial={`${dialog.folder === '' ? '' : `${dialog.folder}/`}new-spec.yaml`}
          action={t('Create file')}
          failure={t('Nothing was created')}
          testId="create-file"
          takesInitial
          onSubmit={(path) => createAt(projectId, path, BLANK_SPEC)}
          onClose={onClose}
        />
      );
    case 'duplicate':
      return (
        <PathDialog
          title={t('Duplicate {name}', { name: dialog.file.name })}
          description={t('The copy has the saved text. Analyses and gaps stay with the original.')}
          initial={copyOf(dialog.file.ref)}
          action={t('Duplicate')}
          failure={t('Nothing was copied')}
          testId="duplicate"
          takesInitial
          onSubmit={(path) => duplicateTo(projectId, dialog.file.ref, path)}
          onClose={onClose}
        />
      );
    case 'rename':
      return <RenameDialog projectId={projectId} file={dialog.file} onClose={onClose} />;
  }
}

/** Asks for the new path of a draft and moves it there, its tab with it. */
function RenameDialog(
  props: DialogProps & { readonly file: Pick<ProjectFile, 'ref' | 'revision'> },
) {
  const { projectId, file } = props;
  return (
    <PathDialog
      title={t('Rename or move')}
      description={t('Its analyses and gaps move with it.')}
      initial={file.ref}
      action={t('Move')}
      failure={t('The draft was not moved')}
      testId="rename"
      onSubmit={async (path) => {
        const moved = await renameDraft(projectId, file.ref, path, file.revision ?? '');
        closeTab(projectId, file.ref);
        openTab(projectId, moved);
        navigateTo(paths.draft(projectId, moved), { replace: true });
      }}
      onClose={props.onClose}
    />
  );
}

/** Asks where the file of a draft went, and lets the draft go on there. */
function MovedDialog(props: DialogProps & { readonly file: ProjectFile }) {
  const { projectId, file } = props;
  const found = useQuery({
    ...routeQuery(listMoved, { params: { project_id: projectId }, query: { ref: file.ref } }),
    staleTime: 0,
  });
  const candidates = found.data?.candidates ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const same = candidates.find(({ same_text }) => same_text)?.ref ?? null;
  const ref = chosen ?? same;
  const target = candidates.find((one) => one.ref === ref);
  const work = useAction(async () => {
    const to = { ref: ref ?? '', same: target?.same_text === true };
    await followMoved(projectId, file, { ...to, revision: found.data?.revision ?? null });
    props.onClose();
  });
  const loses = target?.same_text === false && file.analysisIds.length > 0;
  return (
    <Modal opened onClose={props.onClose} title={t('Where did {name} go?', { name: file.name })}>
      <Unread query={found} rows={2} compact />
      {found.isSuccess && candidates.length === 0 && (
        <p>
          {t(
            'No file of this project could be it. Put it back into the folder, or remove it from the list.',
          )}
        </p>
      )}
      {candidates.length > 0 && (
        <AskForm
          action={work}
          failure={t('The draft stays where it was')}
          label={t('It is this file')}
          ready={target !== undefined}
          testId="moved"
        >
          <Select
            label={t('The file now')}
            description={
              same === null
                ? t('No file has the text that was last seen; choose the one that it became.')
                : t('A file with exactly the same text was found.')
            }
            data={candidates.map((one) => ({
              value: one.ref,
              label: one.same_text ? t('{ref} (same text)', { ref: one.ref }) : one.ref,
            }))}
            value={ref}
            onChange={setChosen}
            searchable
            allowDeselect={false}
            data-testid="moved-field"
          />
          {loses && (
            <p className="sw-trash-when">
              {t(
                'Its text is another one now, so its analyses and gaps stay behind. Import the source again to have them here.',
              )}
            </p>
          )}
        </AskForm>
      )}
    </Modal>
  );
}
