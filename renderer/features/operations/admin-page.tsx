import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import {
  getAccess,
  getEnvironmentGrants,
  listConnections,
} from '../../../server/contract/dashboard/settings.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Unread } from '../../ui/unread.tsx';
import { AccessGrid } from './access-grid.tsx';
import { Connections } from './connections.tsx';
import { GrantsForm } from './grants-form.tsx';
import { OperatePage } from './operate-page.tsx';
import { SignInFacts } from './sign-in-facts.tsx';

const AS_IT_IS = { staleTime: 0, refetchOnWindowFocus: false } as const;

/** Who may do what, and where the platforms are: for all who use this dashboard. */
export function AdminPage() {
  const hindrance = useHindrance('settings.write');
  const access = useQuery({ ...routeQuery(getAccess), ...AS_IT_IS });
  const grants = useQuery({ ...routeQuery(getEnvironmentGrants), ...AS_IT_IS });
  const connections = useQuery({ ...routeQuery(listConnections), ...AS_IT_IS });
  const names = (connections.data ?? []).map(({ env }) => env);
  return (
    <OperatePage
      title={t('Administration')}
      sub={
        <>
          {t(
            'Who may do what, and which platforms there are. It holds for everybody who uses this dashboard. {hindrance}',
            { hindrance },
          )}
        </>
      }
      testId="admin-page"
    >
      <section className="sw-operate-section">
        <h2 className="sw-section-title">{t('Roles')}</h2>
        <Unread query={access} rows={4} />
        {access.data !== undefined && <AccessGrid stored={access.data} hindrance={hindrance} />}
      </section>
      <section className="sw-operate-section">
        <h2 className="sw-section-title">{t('Environments')}</h2>
        <Unread query={connections} rows={2} />
        {connections.data !== undefined && (
          <Connections connections={connections.data} hindrance={hindrance} />
        )}
      </section>
      <section className="sw-operate-section">
        <h2 className="sw-section-title">{t('Who may use which environment')}</h2>
        <Unread query={grants} rows={2} />
        {grants.data !== undefined && (
          <GrantsForm stored={grants.data} names={names} hindrance={hindrance} />
        )}
      </section>
      <section className="sw-operate-section">
        <h2 className="sw-section-title">{t('Sign-in')}</h2>
        <SignInFacts hindrance={hindrance} />
      </section>
    </OperatePage>
  );
}
