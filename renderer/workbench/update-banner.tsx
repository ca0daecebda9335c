import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';
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
        {t('The update to {to} did not start well. {problem} {detail} {failure}', {
          to: after.to,
          problem: after.problem,
          detail: after.program_kept
            ? t(
                'Going back starts {from} with the data as it was before the update; what was done since is kept beside it.',
                { from: after.from },
              )
            : t(
                'Going back puts the data as {from} left it and ends the program: then install {from} again.',
                { from: after.from },
              ),
          failure,
        })}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        loading={busy}
        onClick={() => start()}
        data-testid="update-go-back"
      >
        {t('Go back to {from}', { from: after.from })}
      </Button>
    </div>
  );
}
