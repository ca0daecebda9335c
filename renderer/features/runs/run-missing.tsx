import { Button } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { toApiError } from '../../data/api-error.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ShownRead } from '../../ui/stale-read.tsx';
import { Unread } from '../../ui/unread.tsx';

/** Why a run is not shown, or not as it is now: it does not exist here, or it could not be read. */
export function RunUnread({ query }: { readonly query: ShownRead }) {
  return query.isError && toApiError(query.error).code === 'not_found' ? (
    <EmptyState
      icon={<IconListDetails size={32} stroke={1.25} />}
      title={t('There is no run with this id')}
      actions={
        <Button size="xs" variant="default" onClick={() => navigateTo(paths.runs())}>
          {t('Go to the runs')}
        </Button>
      }
    >
      {t('It may belong to another platform, or retention has removed it.')}
    </EmptyState>
  ) : (
    <Unread query={query} rows={8} />
  );
}
