import { useQuery } from '@tanstack/react-query';
import { getRunChain } from '../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { runName } from '../../data/run-name.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { countText } from '../../ui/count-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { shortRunId } from '../../ui/short-id.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';

/** The runs of the same session, oldest first. */
export function RunSession(props: { readonly runId: string }) {
  const chain = useQuery(routeQuery(getRunChain, { params: { run_id: props.runId } }));
  if (!chain.isSuccess) {
    return <Unread query={chain} rows={3} compact />;
  }
  const { session_id, runs, total, truncated } = chain.data;
  if (session_id === null) {
    return (
      <EmptyState compact title="No session">
        This run was started on its own.
      </EmptyState>
    );
  }
  return (
    <div data-testid="run-session">
      <p className="sw-run-line">
        <CopyCode value={session_id} label="Copy session id" />
        <span className="sw-faint">
          {truncated
            ? `the first ${runs.length} of ${total ?? 'many'} runs`
            : countText(runs.length, 'run')}
        </span>
        <AppLink to={paths.session(session_id)} testId="open-session">
          Open as a conversation
        </AppLink>
      </p>
      <ol className="sw-run-chain">
        {runs.map((run) => (
          <li key={run.run_id} aria-current={run.current ? 'true' : undefined}>
            <StatusBadge status={run.status} />
            {run.current ? (
              <strong>this run</strong>
            ) : (
              <AppLink to={paths.run(run.run_id)}>{shortRunId(run.run_id)}</AppLink>
            )}
            <span className="sw-run-chain-name">{runName(run)}</span>
            <span className="sw-faint">{run.created_age} ago</span>
            {!run.current && <AppLink to={paths.compare(run.run_id, props.runId)}>Compare</AppLink>}
          </li>
        ))}
      </ol>
    </div>
  );
}
