import { isPassing } from '../data/api-error.ts';
import { useFailedRead, useSlowRead } from '../data/failed-read.ts';
import { ErrorState } from './error-state.tsx';
import { ListSkeleton } from './page.tsx';
import { rich } from './rich.ts';
import {
  BriefTrouble,
  type ShownRead,
  SLOW_MS,
  SlowRead,
  SlowText,
  StaleRead,
} from './stale-read.tsx';

interface Place {
  readonly query: ShownRead;
  readonly rows?: number | undefined;
  readonly compact?: boolean;
}

/**
 * Stands where an answer is missing: it is being read, or why it could not be, since when, and when
 * it is tried again; in a compact place in one line. Above an answer that is shown it says why there is no newer one. Else nothing.
 */
export function Unread({ query, rows, compact = false }: Place) {
  const failed = useFailedRead(query);
  const hasAnswer = query.dataUpdatedAt > 0;
  if (failed === undefined) {
    return hasAnswer ? (
      <SlowRead query={query} />
    ) : (
      query.isPending && <Waiting rows={rows} query={query} />
    );
  }
  if (compact && (hasAnswer || isPassing(failed.error))) {
    return <BriefTrouble query={query} failed={failed} />;
  }
  return hasAnswer ? (
    <StaleRead query={query} failed={failed} />
  ) : (
    <ErrorState
      compact={compact}
      error={failed.error}
      onRetry={() => void query.refetch()}
      retried={{ failed, isFetching: query.isFetching }}
    />
  );
}

function Waiting({ query, rows }: Pick<Place, 'query' | 'rows'>) {
  const since = useSlowRead(query.isFetching, SLOW_MS);
  return (
    <>
      <ListSkeleton {...(rows === undefined ? {} : { rows })} />
      {since !== undefined && (
        <p className="sw-faint" role="status" data-testid="slow-first-read">
          {rich(
            '{slowText} What is asked for stands here as soon as it comes; after a minute it is asked for again.',
            { slowText: <SlowText since={since} /> },
          )}
        </p>
      )}
    </>
  );
}
