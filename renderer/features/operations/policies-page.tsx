import { Button, TextInput } from '@mantine/core';
import { IconShield } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getPolicy, listPolicies } from '../../../server/contract/dashboard/policies.ts';
import { listConnections } from '../../../server/contract/dashboard/settings.ts';
import { hrefOf, navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useGrants } from '../../data/environment.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import { OperatePage, Shut } from './operate-page.tsx';
import { environmentNames, storedPolicy } from './policies-model.ts';
import { PolicyForm } from './policy-form.tsx';

/** What specs must fulfil to run in an environment. */
export function PoliciesPage(props: { readonly environment: string }) {
  const { environment } = props;
  const hindranceOf = useGrants();
  const policies = useQuery(routeQuery(listPolicies));
  const connections = useQuery(routeQuery(listConnections));
  const stored = new Map(policies.data?.rows.map((row) => [row.environment, row.enabled]));
  const names = environmentNames(
    [...stored.keys()],
    (connections.data ?? []).map(({ env }) => env),
    [environment],
  ).filter((name) => hindranceOf(name) === undefined);
  const shut = environment === '' ? undefined : hindranceOf(environment);
  return (
    <OperatePage
      title={t('Policies')}
      sub={t('What a spec must fulfil to run in an environment. Runs that go on are not stopped')}
      testId="policies-page"
    >
      <Unread query={policies} rows={3} />
      {policies.data !== undefined && (
        <div className="sw-operate-split">
          <nav aria-label={t('Environments')}>
            <ul className="sw-operate-list">
              {names.map((name) => (
                <li key={name}>
                  <a
                    href={hrefOf(paths.policies(name))}
                    aria-current={name === environment ? 'true' : undefined}
                    data-testid={`policy-of-${name}`}
                  >
                    {name} <State enabled={stored.get(name)} />
                  </a>
                </li>
              ))}
            </ul>
            <AddEnvironment />
          </nav>
          {shut !== undefined && (
            <Shut
              title={t('Your role may not use this environment')}
              hindrance={shut}
              testId="policy-shut"
            />
          )}
          {shut === undefined && environment === '' && (
            <EmptyState
              icon={<IconShield size={32} stroke={1.25} />}
              title={
                names.length === 0 ? t('No environment has a policy') : t('Choose an environment')
              }
            >
              {names.length === 0
                ? t('Name the environment that specs ask for; its first policy is written here.')
                : t('Its policy is shown here.')}
            </EmptyState>
          )}
          {shut === undefined && environment !== '' && (
            <Stored key={environment} environment={environment} />
          )}
        </div>
      )}
    </OperatePage>
  );
}

function State({ enabled }: { readonly enabled: boolean | undefined }) {
  if (enabled === undefined) {
    return <span className="sw-faint">{t('none')}</span>;
  }
  return <Badge tone={enabled ? 'success' : 'neutral'}>{enabled ? t('on') : t('off')}</Badge>;
}

function AddEnvironment() {
  const hindrance = useHindrance('policy.write');
  const [name, setName] = useState('');
  const wanted = name.trim();
  return (
    <form
      className="sw-operate-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== '') {
          setName('');
          navigateTo(paths.policies(wanted));
        }
      }}
    >
      <TextInput
        size="xs"
        aria-label={t('Name of another environment')}
        placeholder={t('Another environment')}
        value={name}
        disabled={hindrance !== undefined}
        title={hindrance}
        onChange={(event) => setName(event.currentTarget.value)}
        data-testid="policy-name"
      />
      <Button type="submit" size="xs" variant="default" disabled={wanted === ''}>
        {t('Add')}
      </Button>
    </form>
  );
}

function Stored({ environment }: { readonly environment: string }) {
  const query = useQuery({
    ...routeQuery(getPolicy, { params: { environment } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <div>
      <Unread query={query} />
      {query.data !== undefined && (
        <PolicyForm environment={environment} stored={storedPolicy(query.data)} />
      )}
    </div>
  );
}
