import { Button } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { listRuns } from '../../../server/contract/dashboard/runs.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { notifyError, notifyHint } from '../../ui/notify.tsx';
import { type RunFilter, runQuery } from './run-filter-model.ts';

/** Goes on with the runs that were created before the last one that the list reaches. */
export function OlderRuns(props: {
  readonly filter: RunFilter;
  /** Places that can be scrolled to. */
  readonly reachable: number;
  readonly onShow: (filter: RunFilter) => void;
}) {
  const { filter, reachable, onShow } = props;
  const reading = useAction(async () => {
    try {
      const query = { ...runQuery(filter, Date.now()), limit: 1, offset: reachable - 1 };
      const { rows } = await call(listRuns, { query });
      const until = rows[0]?.created_at ?? null;
      if (until === null) {
        notifyHint(t('The last run of this list does not say when it was created.'));
      } else {
        onShow({ ...filter, until });
      }
    } catch (error) {
      notifyError(t('Older runs could not be read'), error);
    }
  });
  return (
    <Button
      size="compact-xs"
      variant="light"
      loading={reading.busy}
      onClick={() => reading.start()}
      data-testid="older-runs"
    >
      {t('Go on with older runs')}
    </Button>
  );
}
