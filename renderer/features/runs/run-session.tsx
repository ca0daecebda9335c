import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { getRunChain } from '../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { runName } from '../../data/run-name.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
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
  const { available, session_id, runs, total, truncated } = chain.data;
  if (session_id === null) {
    return (
      <EmptyState compact title={t('No session')}>
        {t('This run was started on its own.')}
      </EmptyState>
    );
  }
  if (!available) {
    return (
      <div data-testid="run-session">
        <CopyCode value={session_id} label={t('Copy session id')} />
        <p className="sw-faint">
          {t('This platform does not list the runs of a session: it knows no filter by it.')}
        </p>
      </div>
    );
  }
  return (
    <div data-testid="run-session">
      <p className="sw-run-line">
        <CopyCode value={session_id} label={t('Copy session id')} />
        <span className="sw-faint">
          {truncated
            ? t('the first {count} of {total} runs', {
                count: runs.length,
                total: total ?? t('many'),
              })
            : t('{count, plural, one {# run} other {# runs}}', { count: runs.length })}
        </span>
        <AppLink to={paths.session(session_id)} testId="open-session">
          {t('Open as a conversation')}
        </AppLink>
      </p>
      <ol className="sw-run-chain">
        {runs.map((run) => (
          <li key={run.run_id} aria-current={run.current ? 'true' : undefined}>
            <StatusBadge status={run.status} />
            {run.current ? (
              <strong>{t('this run')}</strong>
            ) : (
              <AppLink to={paths.run(run.run_id)}>{shortRunId(run.run_id)}</AppLink>
            )}
            <span className="sw-run-chain-name">{runName(run)}</span>
            <span className="sw-faint">
              {t('{created_age} ago', { created_age: run.created_age })}
            </span>
            {!run.current && (
              <AppLink to={paths.compare(run.run_id, props.runId)}>{t('Compare')}</AppLink>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
