import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { getRun } from '../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { goneText } from './gone-task-model.ts';

/** Says what became of the task that an address names, where it is not open any more. */
export function GoneTask(props: {
  /** The run that it was of, where this window saw it; else null. */
  readonly runId: string | null;
}) {
  const { runId } = props;
  const run = useQuery({
    ...routeQuery(getRun, { params: { run_id: runId ?? '' } }),
    enabled: runId !== null,
  });
  return (
    <Alert color="gray" m="md" title={t('This task is not open any more')} data-testid="gone-task">
      {goneText(run.data?.status)}
      {runId !== null && (
        <>
          {' '}
          <AppLink to={paths.run(runId)}>{t('Look at its run')}</AppLink>
        </>
      )}
    </Alert>
  );
}
