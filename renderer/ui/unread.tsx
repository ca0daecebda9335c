import { ErrorState } from './error-state.tsx';
import { ListSkeleton } from './page.tsx';

/** A read, as far as its place on a page needs it. */
interface Read {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  refetch(): unknown;
}

/** Stands where an answer is missing: it is being read, or why it could not be. Else nothing. */
export function Unread(props: {
  readonly query: Read;
  readonly rows?: number;
  readonly compact?: boolean;
}) {
  const { query, rows, compact = false } = props;
  if (query.isPending) {
    return <ListSkeleton {...(rows === undefined ? {} : { rows })} />;
  }
  return query.isError ? (
    <ErrorState compact={compact} error={query.error} onRetry={() => void query.refetch()} />
  ) : null;
}
