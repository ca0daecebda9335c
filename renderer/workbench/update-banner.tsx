import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { updatesStore, useGoBack } from '../data/updates.ts';
import { useStore } from '../ui/store.ts';

/** After an update that did not start well: the way back to the version before. */
export function UpdateBanner() {
  const after = useStore(updatesStore)?.after ?? null;
  const { start, busy, failure } = useGoBack();
  if (after === null || after.outcome !== 'bad') {
    return null;
  }
  return (
    <div className="sw-banner" role="alert" data-tone="danger" data-testid="update-failed">
      <IconAlertTriangle size={16} aria-hidden />
      <span className="sw-banner-text">
        The update to {after.to} did not start well. {after.problem}{' '}
        {after.program_kept
          ? `Going back starts ${after.from} with the data as it was before the update; what was done since is kept beside it.`
          : `Going back puts the data as ${after.from} left it and ends the program: then install ${after.from} again.`}{' '}
        {failure}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        loading={busy}
        onClick={() => start()}
        data-testid="update-go-back"
      >
        Go back to {after.from}
      </Button>
    </div>
  );
}
