import { t } from '../../../../preload/texts/t.ts';
import { rich } from '../../../ui/rich.ts';
import '../../../ui/rows.css';
import { Button, Group, Modal } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import {
  listTrash,
  purgeTrashEntry,
  type TrashEntry,
} from '../../../../server/contract/studio/tree.ts';
import { call } from '../../../data/api-client.ts';
import { toApiError } from '../../../data/api-error.ts';
import { fileName } from '../../../data/draft-names.ts';
import { useOwns } from '../../../data/project-tree.ts';
import { queryClient, routePrefix, routeQuery } from '../../../data/query-client.ts';
import { useAction } from '../../../data/use-action.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { putBack } from './file-actions.ts';

const DAY_MS = 86_400_000;

/** What was deleted in the project: to be put back, or removed for good. */
export function TrashDialog(props: { readonly projectId: string; readonly onClose: () => void }) {
  const { projectId } = props;
  const trash = useQuery({
    ...routeQuery(listTrash, { params: { project_id: projectId } }),
    staleTime: 0,
  });
  const entries = trash.data?.entries ?? [];
  return (
    <Modal opened onClose={props.onClose} size="lg" title={t('Trash of this project')}>
      <div data-testid="trash-dialog">
        <Unread query={trash} rows={3} compact />
        {trash.isSuccess && entries.length === 0 && (
          <EmptyState compact title={t('The trash is empty')}>
            {t('What you delete stays here for 30 days. Then it is removed for good.')}
          </EmptyState>
        )}
        {entries.length > 0 && (
          <>
            <p className="sw-trash-when">
              {t('What you delete stays here for 30 days. Then it is removed for good.')}
            </p>
            <ul className="sw-rows sw-trash-rows">
              {entries.map((entry) => (
                <TrashRow key={entry.id} projectId={projectId} entry={entry} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Modal>
  );
}

function daysLeft(entry: TrashEntry): string {
  const days = Math.max(1, Math.ceil((Date.parse(entry.ends_at) - Date.now()) / DAY_MS));
  return t('{count, plural, one {# day} other {# days}} left', { count: days });
}

/** A free name beside the one that is in use. */
function besideOf(entry: TrashEntry): string {
  return entry.ref.replace(/(\.[^./]*)?$/, (end) => `-restored-${entry.id.slice(0, 4)}${end}`);
}

function TrashRow(props: { readonly projectId: string; readonly entry: TrashEntry }) {
  const { projectId, entry } = props;
  const owns = useOwns(projectId);
  const back = useAction(() => putBack(projectId, entry.id));
  const beside = useAction(() => putBack(projectId, entry.id, besideOf(entry)));
  const purge = useAction(async () => {
    await call(purgeTrashEntry, { params: { project_id: projectId, entry_id: entry.id } });
    await queryClient.invalidateQueries({ queryKey: routePrefix(listTrash) });
  });
  const error = beside.error ?? purge.error ?? back.error;
  const taken = back.error !== undefined && toApiError(back.error).code === 'draft_exists';
  return (
    <li data-testid={`trash-${entry.ref}`}>
      <span className="sw-row-name">
        <strong>{fileName(entry.ref)}</strong>
        <code>{entry.ref}</code>
        <span className="sw-trash-when">
          {rich('Deleted {time} by {deleted_by} · {daysLeft}', {
            time: <TimeAgo at={entry.deleted_at} />,
            deleted_by: entry.deleted_by,
            daysLeft: daysLeft(entry),
          })}
        </span>
        {taken && (
          <span className="sw-trash-when" role="alert">
            {t('It stays in the trash: a file of that name is there now.')}
          </span>
        )}
      </span>
      <Group gap="xs">
        {taken && (
          <Button
            size="compact-sm"
            variant="default"
            loading={beside.busy}
            onClick={() => beside.start()}
            data-testid="put-beside"
          >
            {t('Put it beside that file')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          loading={back.busy}
          onClick={() => back.start()}
          data-testid="put-back"
        >
          {t('Put back')}
        </Button>
        {owns && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            loading={purge.busy}
            onClick={() => confirmPurge(entry, () => purge.start())}
            data-testid="purge"
          >
            {t('Remove for good…')}
          </Button>
        )}
      </Group>
      {error !== undefined && !taken && (
        <ErrorState compact title={t('It stays in the trash')} error={error} />
      )}
    </li>
  );
}

function confirmPurge(entry: TrashEntry, onConfirm: () => void): void {
  modals.openConfirmModal({
    title: t('Remove {file} for good?', { file: fileName(entry.ref) }),
    children: t('It cannot be put back any more. Artifacts made from it stay as they are.'),
    labels: { confirm: t('Remove for good'), cancel: t('Keep it in the trash') },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
