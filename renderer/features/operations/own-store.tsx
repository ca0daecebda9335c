import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { getOwnFacts, type OwnFacts } from '../../../server/contract/dashboard/own-facts.ts';
import { routeQuery } from '../../data/query-client.ts';
import { megabytesText } from '../../ui/megabytes-text.ts';
import { NewerRead } from '../../ui/newer-read.tsx';
import { AUTH_MODES } from './auth-modes.ts';

const EVERY_MS = 60_000;

function storeText({ kind, bytes }: OwnFacts['store']): string {
  if (kind === 'external') return t('a PostgreSQL database, whose size its server tells');
  if (kind === 'memory' || bytes === null) {
    return t('in memory: it is gone when the service ends');
  }
  return t('an embedded file, {megabytes} with the files beside it', {
    megabytes: megabytesText(bytes, 2),
  });
}

/** How this dashboard works and what it keeps: what its metrics say, for people. */
export function OwnStore() {
  const query = useQuery({ ...routeQuery(getOwnFacts), refetchInterval: EVERY_MS, retry: false });
  const facts = query.data;
  return (
    <>
      <h3 className="sw-section-title sw-own-store">{t('This dashboard')}</h3>
      <NewerRead query={query} rows={4} />
      {facts !== undefined && (
        <dl className="sw-facts" data-testid="own-store">
          <dt>{t('Version')}</dt>
          <dd>{facts.version}</dd>
          <dt>{t('Mode')}</dt>
          <dd>
            {AUTH_MODES[facts.auth_mode]}
            {facts.dev_mode && t('; development mode is on')}
          </dd>
          <dt>{t('Kept in')}</dt>
          <dd>{storeText(facts.store)}</dd>
          <dt>{t('Acts of operators')}</dt>
          <dd>
            {t('{count, plural, one {# row} other {# rows}}', {
              count: facts.store.rows.audit_log,
            })}
          </dd>
          <dt>{t('Launches')}</dt>
          <dd>
            {t('{count, plural, one {# row} other {# rows}}', { count: facts.store.rows.launches })}
          </dd>
          <dt>{t('Sessions')}</dt>
          <dd>
            {facts.auth_mode === 'static'
              ? t('none, as nobody signs in')
              : t('{sessions_active} that have not ended', {
                  sessions_active: facts.store.sessions_active,
                })}
          </dd>
        </dl>
      )}
    </>
  );
}
