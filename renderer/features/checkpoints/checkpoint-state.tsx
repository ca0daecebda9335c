import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { listCheckpoints } from '../../../server/contract/dashboard/run-record.ts';
import { routeQuery } from '../../data/query-client.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Unread } from '../../ui/unread.tsx';
import { StateTree } from './state-tree.tsx';

/** Everything that stood in a saved state, by its place in the list. */
export function CheckpointState(props: { readonly runId: string; readonly index: number }) {
  const page = useQuery({
    ...routeQuery(listCheckpoints, {
      params: { run_id: props.runId },
      query: { limit: 1, offset: props.index, sort_by: 'sequence', sort_order: 'asc' },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!page.isSuccess) {
    return <Unread query={page} rows={5} compact />;
  }
  const state = page.data.checkpoints[0]?.state;
  if (state === undefined) {
    return <EmptyState compact title={t('This state is not kept any more')} />;
  }
  return (
    <div className="sw-state-tree" data-testid="checkpoint-state">
      <CopyCode value={JSON.stringify(state, null, 2)} shown={t('copy JSON')} />
      <StateTree value={state} />
    </div>
  );
}
