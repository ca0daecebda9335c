import { Button } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import {
  type LaunchHistoryEntry,
  listLaunches,
} from '../../../server/contract/dashboard/launch.ts';
import { getRunRecord } from '../../../server/contract/dashboard/run-record.ts';
import { toApiError } from '../../data/api-error.ts';
import { routeQuery } from '../../data/query-client.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import type { Launched } from './launch-refill-model.ts';
import { HAS_STUDIO } from './launch-studio.ts';

/** Reads what a launch was made with, from the history and from its run, and fills that in. */
export function LaunchRefill(props: {
  /** The row that is launched again; undefined where only its run is named. */
  readonly entry: LaunchHistoryEntry | undefined;
  readonly runId: string | null | undefined;
  readonly children: (launched: Launched) => ReactNode;
}) {
  const runId = props.runId ?? null;
  const history = useQuery({ ...routeQuery(listLaunches), enabled: props.entry === undefined });
  const record = useQuery({
    ...routeQuery(getRunRecord, { params: { run_id: runId ?? '' } }),
    enabled: runId !== null,
    // What is filled in stays what it is while somebody edits it.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const [isWithout, setWithout] = useState(false);
  const lost = runId === null ? 'none' : isGone(record) ? 'gone' : 'unread';
  const isRead = record.isSuccess || lost !== 'unread' || isWithout;
  // The history is of use, not needed: a run tells of itself.
  const isReady = isRead && (props.entry !== undefined || !history.isPending);
  const [launched, setLaunched] = useState<Launched>();
  if (isReady && launched === undefined) {
    const found = history.data?.entries.find(({ run_id }) => run_id === runId);
    setLaunched({ entry: props.entry ?? found, run: record.data, lost, hasStudio: HAS_STUDIO });
  }
  if (launched !== undefined) {
    return props.children(launched);
  }
  return <NotRead record={record} onWithout={() => setWithout(true)} />;
}

function isGone({ error }: { readonly error: unknown }): boolean {
  return error !== null && toApiError(error).code === 'not_found';
}

function NotRead(props: {
  readonly record: UseQueryResult<unknown>;
  readonly onWithout: () => void;
}) {
  const { record, onWithout } = props;
  return record.isError ? (
    <ErrorState
      title={t('The run was not read, so its input is not known')}
      error={record.error}
      onRetry={() => void record.refetch()}
      actions={
        <Button size="xs" variant="default" onClick={onWithout}>
          {t('Fill in without it')}
        </Button>
      }
    />
  ) : (
    <ListSkeleton rows={6} />
  );
}
