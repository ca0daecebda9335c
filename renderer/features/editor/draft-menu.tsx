import { ActionIcon, Menu } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  IconArrowsDiff,
  IconDots,
  IconGitCompare,
  IconHistory,
  IconPencil,
  IconTrash,
  IconVersions,
} from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useCommand } from '../../app/use-command.ts';
import { renameDraft } from '../../data/actions.ts';
import { fileName, isGenerated } from '../../data/draft-names.ts';
import { useGit } from '../../data/project-git.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { PathDialog } from '../../ui/path-dialog.tsx';
import { closeTab, openTab } from '../../workbench/tabs-store.ts';
import { CompareDialog, HEAD } from './compare/compare-dialog.tsx';
import { removeDraft } from './draft-queries.ts';
import { HistoryDialog } from './history-dialog.tsx';

async function moveTo(
  projectId: string,
  ref: string,
  path: string,
  revision: string,
): Promise<void> {
  const moved = await renameDraft(projectId, ref, path, revision);
  closeTab(projectId, ref);
  openTab(projectId, moved);
  navigateTo(paths.draft(projectId, moved), { replace: true });
}

export interface DraftMenuProps {
  readonly projectId: string;
  readonly draftRef: string;
  readonly savedText: string;
  readonly text: string;
  readonly dirty: boolean;
  readonly revision: () => string;
}

/** Compare, history, versions, rename, delete. Renaming and deleting want a saved draft, so that no text is left behind. */
export function DraftMenu(props: DraftMenuProps) {
  const [open, setOpen] = useState<'compare' | 'head' | 'history' | 'rename' | null>(null);
  const { projectId, draftRef, dirty } = props;
  const name = fileName(draftRef);
  const hasHead = (useGit(projectId)?.head ?? null) !== null;
  useCommand('draft.compare', () => setOpen('compare'));
  useCommand('draft.compare-head', () => setOpen('head'), hasHead);
  const showVersions = (): void => navigateTo(paths.artifacts(projectId, draftRef));
  useCommand('draft.history', () => setOpen('history'));
  useCommand('draft.versions', showVersions);
  const remove = async (): Promise<void> => {
    try {
      await removeDraft(projectId, draftRef, props.revision());
      closeTab(projectId, draftRef);
      notifyDone(t('Deleted {name}', { name }));
      navigateTo(paths.project(projectId), { replace: true });
    } catch (error) {
      notifyError(t('{name} was not deleted', { name }), error);
    }
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('More actions')}
            data-testid="draft-menu"
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconArrowsDiff size={15} />} onClick={() => setOpen('compare')}>
            {t('Compare…')}
          </Menu.Item>
          {hasHead && (
            <Menu.Item
              leftSection={<IconGitCompare size={15} />}
              onClick={() => setOpen('head')}
              data-testid="draft-compare-head"
            >
              {t('Compare with HEAD')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconHistory size={15} />}
            onClick={() => setOpen('history')}
            data-testid="draft-history"
          >
            {t('History…')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconVersions size={15} />}
            onClick={showVersions}
            data-testid="draft-versions"
          >
            {t('Versions')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPencil size={15} />}
            disabled={dirty}
            onClick={() => setOpen('rename')}
            data-testid="rename-draft"
          >
            {t('Rename or move…')}
          </Menu.Item>
          {isGenerated(draftRef) && (
            <Menu.Item
              color="var(--sw-danger)"
              leftSection={<IconTrash size={15} />}
              disabled={dirty}
              onClick={() => confirmRemoval(name, () => void remove())}
              data-testid="delete-draft"
            >
              {t('Delete…')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'compare' && <CompareDialog {...props} onClose={() => setOpen(null)} />}
      {open === 'head' && <CompareDialog {...props} first={HEAD} onClose={() => setOpen(null)} />}
      {open === 'history' && <HistoryDialog {...props} onClose={() => setOpen(null)} />}
      {open === 'rename' && (
        <PathDialog
          title={t('Rename or move')}
          description={t('Its analyses and gaps move with it.')}
          initial={draftRef}
          action={t('Move')}
          failure={t('The draft was not moved')}
          testId="rename"
          onSubmit={(path) => moveTo(projectId, draftRef, path, props.revision())}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function confirmRemoval(name: string, onConfirm: () => void): void {
  modals.openConfirmModal({
    title: t('Delete {name}?', { name }),
    children: t(
      'It goes to the project’s trash, where it can be put back for 30 days. Artifacts made from it stay as they are.',
    ),
    labels: { confirm: t('Delete draft'), cancel: t('Keep it') },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
