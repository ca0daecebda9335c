import { t } from '../../preload/texts/t.ts';
import { toApiError } from '../data/api-error.ts';
import { EmptyState } from './empty-state.tsx';
import type { ShownRead } from './stale-read.tsx';
import { Unread } from './unread.tsx';

/**
 * As {@link Unread}, for what dashboards of other computers may be too old to know: that is told in
 * place of "not found". What is asked for must be there wherever the dashboard knows it.
 */
export function NewerRead(props: {
  readonly query: ShownRead;
  readonly rows?: number;
  readonly compact?: boolean;
}) {
  const { query, compact = false } = props;
  const { isError, error, dataUpdatedAt } = query;
  if (!isError || dataUpdatedAt > 0 || toApiError(error).code !== 'not_found') {
    return <Unread query={query} rows={props.rows} compact={compact} />;
  }
  return (
    <EmptyState compact title={t('This dashboard does not show it')} testId="not-known-there">
      {t(
        'The dashboard that this window is connected to is an older version, or of another make, and does not know it. Everything else works.',
      )}
    </EmptyState>
  );
}
