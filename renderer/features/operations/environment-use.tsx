import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { getOverview } from '../../../server/contract/dashboard/overview.ts';
import { listPolicies } from '../../../server/contract/dashboard/policies.ts';
import { getEnvironmentGrants } from '../../../server/contract/dashboard/settings.ts';
import { call } from '../../data/api-client.ts';
import { environmentStore } from '../../data/chosen-environment.ts';
import { routePrefix, routeQuery } from '../../data/query-client.ts';
import { useStore } from '../../ui/store.ts';
import { type EnvironmentUse, wordsOfUse } from './environment-use-model.ts';

/** What an environment is used for, as far as it can be told. */
export function InUse({ environment }: { readonly environment: string }) {
  const here = useStore(environmentStore) === environment;
  const runs = useQuery({
    queryKey: [...routePrefix(getOverview), 'use', environment],
    queryFn: ({ signal }) =>
      call(getOverview, {}, { signal, headers: { 'x-kneo-env': environment } }),
    retry: false,
  });
  const policies = useQuery(routeQuery(listPolicies));
  const grants = useQuery(routeQuery(getEnvironmentGrants));
  const tiles = new Map(runs.data?.tiles.map(({ key, value }) => [key, value]));
  const use: EnvironmentUse = {
    here,
    running: tiles.get('running') ?? null,
    blocked: tiles.get('blocked') ?? null,
    hasPolicy: policies.data?.rows.some((row) => row.environment === environment) === true,
    roles: Object.entries(grants.data?.environments ?? {})
      .filter(([, names]) => names.includes(environment))
      .map(([role]) => role),
  };
  const words = wordsOfUse(use);
  return words.length === 0 ? null : (
    <div className="sw-dialog-text" role="alert" data-testid="environment-use">
      <strong>{t('{environment} is in use.', { environment })}</strong>
      <ul>
        {words.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
