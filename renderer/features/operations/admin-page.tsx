import { useQuery } from '@tanstack/react-query';
import {
  getAccess,
  getEnvironmentGrants,
  getPricing,
  listConnections,
} from '../../../server/contract/dashboard/settings.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Unread } from '../../ui/unread.tsx';
import { AccessGrid } from './access-grid.tsx';
import { Connections } from './connections.tsx';
import { GrantsForm } from './grants-form.tsx';
import { OperatePage } from './operate-page.tsx';
import { PriceForm } from './price-form.tsx';

const AS_IT_IS = { staleTime: 0, refetchOnWindowFocus: false } as const;

/** Who may do what, where the platforms are, and what a token costs: for all who use this dashboard. */
export function AdminPage() {
  const hindrance = useHindrance('settings.write');
  const access = useQuery({ ...routeQuery(getAccess), ...AS_IT_IS });
  const grants = useQuery({ ...routeQuery(getEnvironmentGrants), ...AS_IT_IS });
  const connections = useQuery({ ...routeQuery(listConnections), ...AS_IT_IS });
  const price = useQuery({ ...routeQuery(getPricing), ...AS_IT_IS });
  const names = (connections.data ?? []).map(({ env }) => env);
  return (
    <OperatePage
      title="Administration"
      sub={
        <>
          Who may do what, which platforms there are, what a token costs. It holds for everybody who
          uses this dashboard. {hindrance}
        </>
      }
      testId="admin-page"
    >
      <section className="sw-operate-section">
        <h2 className="sw-section-title">Roles</h2>
        <Unread query={access} rows={4} />
        {access.data !== undefined && (
          <AccessGrid key={access.data.version} stored={access.data} hindrance={hindrance} />
        )}
      </section>
      <section className="sw-operate-section">
        <h2 className="sw-section-title">Environments</h2>
        <Unread query={connections} rows={2} />
        {connections.data !== undefined && (
          <Connections connections={connections.data} hindrance={hindrance} />
        )}
      </section>
      <section className="sw-operate-section">
        <h2 className="sw-section-title">Who may use which environment</h2>
        <Unread query={grants} rows={2} />
        {grants.data !== undefined && (
          <GrantsForm
            key={grants.data.version}
            stored={grants.data}
            names={names}
            hindrance={hindrance}
          />
        )}
      </section>
      <section className="sw-operate-section">
        <h2 className="sw-section-title">Price</h2>
        <Unread query={price} rows={1} />
        {price.data !== undefined && (
          <PriceForm key={price.data.version} stored={price.data} hindrance={hindrance} />
        )}
      </section>
    </OperatePage>
  );
}
