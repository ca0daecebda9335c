import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import '../../ui/rows.css';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  listTrustedFolders,
  type TrustedFolderView,
} from '../../../server/contract/gateway/trusted-folders.ts';
import { routeQuery } from '../../data/query-client.ts';
import { revokeFolder } from '../../data/trusted-folders.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

/** The folders that this person trusts; the command line changes the same list. */
export function TrustedFolders() {
  const query = useQuery({ ...routeQuery(listTrustedFolders), staleTime: 0 });
  const revoke = useAction(async (folder: TrustedFolderView) => {
    await revokeFolder(folder);
    notifyDone(t('The folder is no longer trusted'));
  });
  if (query.isPending) return <Skeleton height={80} radius="sm" />;
  if (query.isError) {
    return <ErrorState compact error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { folders } = query.data;
  if (folders.length === 0) {
    return (
      <p className="sw-faint" data-testid="no-trusted-folders">
        {t(
          'No folder is trusted. The question comes with a folder that is opened, and stands in the status bar.',
        )}
      </p>
    );
  }
  return (
    <>
      <ul className="sw-rows" data-testid="trusted-folders">
        {folders.map((folder) => (
          <FolderRow
            key={folder.folder}
            folder={folder}
            busy={revoke.busy}
            onRevoke={() => revoke.start(folder)}
          />
        ))}
      </ul>
      {revoke.error !== undefined && (
        <ErrorState compact title={t('The folder is still trusted')} error={revoke.error} />
      )}
    </>
  );
}

function FolderRow(props: {
  readonly folder: TrustedFolderView;
  readonly busy: boolean;
  readonly onRevoke: () => void;
}) {
  const { folder, trusted_at, stands } = props.folder;
  return (
    <li>
      <span className="sw-row-name">
        <span>{folder}</span>
        <span className="sw-row-state">
          {stands ? (
            <Badge tone="success">{t('trusted')}</Badge>
          ) : (
            <Badge tone="warning">{t('not trusted: another folder stands there, or none')}</Badge>
          )}
          <span className="sw-faint">
            {rich('answered {time}', { time: <TimeAgo at={trusted_at} /> })}
          </span>
        </span>
      </span>
      <span className="sw-key-actions">
        <Button
          size="compact-sm"
          variant="default"
          disabled={props.busy}
          onClick={props.onRevoke}
          aria-label={
            stands
              ? t('Trust it no longer: {folder}', { folder })
              : t('Remove: {folder}', { folder })
          }
        >
          {stands ? t('Trust it no longer') : t('Remove')}
        </Button>
      </span>
    </li>
  );
}
