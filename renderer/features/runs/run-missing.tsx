import { Button } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { toApiError } from '../../data/api-error.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

/** Why a run is not shown: it does not exist here, or it could not be read. */
export function RunMissing(props: { readonly error: unknown; readonly onRetry: () => void }) {
  return toApiError(props.error).code === 'not_found' ? (
    <EmptyState
      icon={<IconListDetails size={32} stroke={1.25} />}
      title="There is no run with this id"
      actions={
        <Button size="xs" variant="default" onClick={() => navigateTo(paths.runs())}>
          Go to the runs
        </Button>
      }
    >
      It may belong to another platform, or retention has removed it.
    </EmptyState>
  ) : (
    <ErrorState error={props.error} onRetry={props.onRetry} />
  );
}
