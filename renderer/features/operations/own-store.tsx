import { useQuery } from '@tanstack/react-query';
import { getOwnFacts, type OwnFacts } from '../../../server/contract/dashboard/own-facts.ts';
import { routeQuery } from '../../data/query-client.ts';
import { countText } from '../../ui/count-text.ts';
import { megabytesText } from '../../ui/megabytes-text.ts';
import { Unread } from '../../ui/unread.tsx';
import { AUTH_MODES } from './auth-modes.ts';

const EVERY_MS = 60_000;

function storeText({ kind, bytes }: OwnFacts['store']): string {
  if (kind === 'memory' || bytes === null) {
    return 'in memory: it is gone when the service ends';
  }
  return `an embedded file, ${megabytesText(bytes, 2)} with the files beside it`;
}

/** How this dashboard works and what it keeps: what its metrics say, for people. */
export function OwnStore() {
  const query = useQuery({ ...routeQuery(getOwnFacts), refetchInterval: EVERY_MS, retry: false });
  const facts = query.data;
  return (
    <>
      <h3 className="sw-section-title sw-own-store">This dashboard</h3>
      <Unread query={query} rows={4} />
      {facts !== undefined && (
        <dl className="sw-facts" data-testid="own-store">
          <dt>Version</dt>
          <dd>{facts.version}</dd>
          <dt>Mode</dt>
          <dd>
            {AUTH_MODES[facts.auth_mode]}
            {facts.dev_mode && '; development mode is on'}
          </dd>
          <dt>Kept in</dt>
          <dd>{storeText(facts.store)}</dd>
          <dt>Acts of operators</dt>
          <dd>{countText(facts.store.rows.audit_log, 'row')}</dd>
          <dt>Launches</dt>
          <dd>{countText(facts.store.rows.launches, 'row')}</dd>
          <dt>Sessions</dt>
          <dd>
            {facts.auth_mode === 'static'
              ? 'none, as nobody signs in'
              : `${facts.store.sessions_active} that have not ended`}
          </dd>
        </dl>
      )}
    </>
  );
}
