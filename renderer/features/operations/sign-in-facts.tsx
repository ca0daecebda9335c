import { t } from '../../../preload/texts/t.ts';
import '../../ui/plain-table.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  getSignInSettings,
  type SignInSettings,
} from '../../../server/contract/dashboard/own-facts.ts';
import { getMe } from '../../../server/contract/dashboard/session.ts';
import type { Hindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { NewerRead } from '../../ui/newer-read.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { AUTH_MODES } from './auth-modes.ts';

/** How people sign in here, and which variable says so; nothing of it can be changed from here. */
export function SignInFacts({ hindrance }: { readonly hindrance: Hindrance }) {
  // A refused read would stand in the operators' audit as an attempt.
  const me = useQuery({ ...routeQuery(getMe), staleTime: 60_000 });
  const query = useQuery({
    ...routeQuery(getSignInSettings),
    enabled: me.data !== undefined && hindrance === undefined,
  });
  if (hindrance !== undefined) {
    return <p>{hindrance}</p>;
  }
  return (
    <>
      <p>
        {t(
          'Set by variables of the service before it starts; secrets are not shown. A change needs a new start.',
        )}
      </p>
      <NewerRead query={query} rows={4} />
      {query.data !== undefined && (
        <table className="sw-plain-table" data-testid="sign-in-facts">
          <thead>
            <tr>
              <th scope="col">{t('Setting')}</th>
              <th scope="col">{t('In force')}</th>
              <th scope="col">{t('Variable')}</th>
            </tr>
          </thead>
          <tbody>
            <ModeRows settings={query.data} />
            {query.data.provider !== null && <ProviderRows provider={query.data.provider} />}
            <Fact name={t('Pages of other origins')} of={query.data.cors_origins}>
              {query.data.cors_origins.value.length === 0
                ? t('none may call this dashboard')
                : query.data.cors_origins.value.join(', ')}
            </Fact>
          </tbody>
        </table>
      )}
    </>
  );
}

function Fact(props: {
  readonly name: string;
  readonly of: { readonly variable: string };
  readonly children: ReactNode;
}) {
  return (
    <tr>
      <th scope="row">{props.name}</th>
      <td>{props.children}</td>
      <td>
        <code>{props.of.variable}</code>
      </td>
    </tr>
  );
}

function ModeRows({ settings }: { readonly settings: SignInSettings }) {
  const { auth_mode, dev_mode, static_role, cookie_name } = settings;
  const isStatic = auth_mode.value === 'static';
  return (
    <>
      <Fact name={t('Mode')} of={auth_mode}>
        {AUTH_MODES[auth_mode.value]}
      </Fact>
      <Fact name={t('Development mode')} of={dev_mode}>
        {dev_mode.value ? t('on: static mode may start') : t('off: static mode does not start')}
      </Fact>
      {isStatic && (
        <Fact name={t('Everybody’s role')} of={static_role}>
          {static_role.value}
        </Fact>
      )}
      <Fact name={t('Session cookie')} of={cookie_name}>
        <code>{cookie_name.value}</code>
        {isStatic && t(' (not used in static mode)')}
      </Fact>
    </>
  );
}

function ProviderRows({
  provider,
}: {
  readonly provider: NonNullable<SignInSettings['provider']>;
}) {
  const { role_map, idle_seconds, purge_seconds, has_bootstrap_admin, token_audience } = provider;
  const mapped = Object.entries(role_map.value);
  return (
    <>
      <Fact name={t('Identity provider')} of={provider.issuer}>
        {provider.issuer.value}
      </Fact>
      <Fact name={t('Client id')} of={provider.client_id}>
        {provider.client_id.value}
      </Fact>
      <Fact name={t('People come back to')} of={provider.redirect_url}>
        {provider.redirect_url.value}
      </Fact>
      <Fact name={t('Scopes')} of={provider.scopes}>
        {provider.scopes.value}
      </Fact>
      <Fact name={t('Role claim')} of={provider.role_claim}>
        <code>{provider.role_claim.value}</code>
      </Fact>
      <Fact name={t('Roles')} of={role_map}>
        <ul className="sw-role-map">
          {mapped.map(([group, role]) => (
            <li key={group}>
              {group} → {role}
            </li>
          ))}
          <li>
            {mapped.length === 0
              ? t('No group has a role: nobody is let in')
              : t('Whoever is in none of these is not let in')}
            {has_bootstrap_admin.value && t(', but for the named administrator')}
          </li>
        </ul>
      </Fact>
      <Fact name={t('Named administrator')} of={has_bootstrap_admin}>
        {has_bootstrap_admin.value ? t('one person is always admin') : t('none')}
      </Fact>
      {token_audience !== undefined && (
        <Fact name={t('Windows on other computers')} of={token_audience}>
          {token_audience.value === null
            ? t('not let in by the provider’s tokens')
            : t('let in by tokens of the provider for {audience}', {
                audience: token_audience.value,
              })}
        </Fact>
      )}
      <Fact name={t('A session lasts')} of={provider.session_seconds}>
        {t('{duration} at most', {
          duration: durationText(provider.session_seconds.value * 1_000),
        })}
      </Fact>
      <Fact name={t('Unused, a session lasts')} of={idle_seconds}>
        {idle_seconds.value === 0
          ? t('as long as it may')
          : durationText(idle_seconds.value * 1_000)}
      </Fact>
      <Fact name={t('Sessions that are over')} of={purge_seconds}>
        {purge_seconds.value === 0
          ? t('are never removed')
          : t('are removed every {duration}', {
              duration: durationText(purge_seconds.value * 1_000),
            })}
      </Fact>
    </>
  );
}
