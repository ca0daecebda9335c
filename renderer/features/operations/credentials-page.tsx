import '../../ui/plain-table.css';
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type CredentialNeed,
  type CredentialNeedsView,
  getCredentialNeeds,
  getCredentials,
} from '../../../server/contract/dashboard/credentials.ts';
import { listModelKeys } from '../../../server/contract/gateway/model-keys.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { KEEPERS } from '../../data/key-places.ts';
import { useHindrance } from '../../data/operator.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { isServed } from '../../data/served.ts';
import { countText } from '../../ui/count-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeyDialog } from '../../ui/key-dialog.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import {
  type CredentialRow,
  type CredentialSection,
  credentialSections,
  credentialState,
} from './credentials-model.ts';
import { OperatePage, Shut } from './operate-page.tsx';

const TITLES: Readonly<Record<string, { readonly title: string; readonly about: string }>> = {
  providers: {
    title: 'Model providers',
    about: 'What models are called with. One that no spec names may be missing.',
  },
  extra: { title: 'Other secrets', about: 'What specs name for tools and requests.' },
  service_tokens: { title: 'Service tokens', about: 'What this program identifies itself with.' },
};

/** Which secrets the platform has and who needs them, never a value. */
export function CredentialsPage() {
  const hindrance = useHindrance('credentials.read');
  return (
    <OperatePage
      title="Credentials"
      sub="Which secrets the platform has, and which specs need them. No value is ever shown"
      testId="credentials-page"
    >
      {hindrance === undefined ? (
        <Inventory />
      ) : (
        <Shut
          title="Your role does not show them"
          hindrance={hindrance}
          testId="credentials-shut"
        />
      )}
    </OperatePage>
  );
}

/** Reads again what a stored secret changes. */
function readAgain(): void {
  for (const route of [getCredentials, getCredentialNeeds, listModelKeys]) {
    void queryClient.invalidateQueries({ queryKey: routePrefix(route) });
  }
}

function Inventory() {
  const query = useQuery(routeQuery(getCredentials));
  const needs = useQuery(routeQuery(getCredentialNeeds));
  const keys = useQuery({ ...routeQuery(listModelKeys), enabled: isServed('gateway') });
  const [edited, setEdited] = useState<CredentialRow>();
  // What could not be read is pending again at each retry: the table does not wait for that.
  const isAsked = needs.isPending && needs.errorUpdateCount === 0;
  const sections =
    query.data === undefined || isAsked ? [] : credentialSections(query.data, needs.data);
  const isHere = keys.data?.here === true;
  return (
    <>
      <Unread query={query} />
      {query.isSuccess && !isAsked && sections.length === 0 && (
        <EmptyState
          icon={<IconKey size={32} stroke={1.25} />}
          title="The platform names no secrets"
        >
          Keys of model providers are stored in the settings.
        </EmptyState>
      )}
      {!isAsked && <Unread query={needs} compact />}
      {needs.data !== undefined && <Coverage needs={needs.data} />}
      {sections.map((section) => (
        <Entries key={section.section} {...section} onSet={isHere ? setEdited : undefined} />
      ))}
      {query.isSuccess && (
        <p className="sw-faint">
          {isHere ? (
            <>
              What is stored here is listed in the{' '}
              <AppLink to={paths.settings('models')}>settings</AppLink>, where it is removed too.
            </>
          ) : (
            'Secrets are set on the computer that runs the platform.'
          )}{' '}
          What one spec needs stands on its page of credentials, with what is missing.
        </p>
      )}
      {edited !== undefined && keys.data !== undefined && (
        <KeyDialog
          title={`Set ${edited.variable}`}
          name={edited.variable}
          keeper={KEEPERS[keys.data.keeper]}
          onClose={() => setEdited(undefined)}
          onStored={readAgain}
        />
      )}
    </>
  );
}

/** What is known of who needs a secret. */
function Coverage({ needs }: { readonly needs: CredentialNeedsView }) {
  const { available, runs_looked_at, runs_left_out } = needs;
  if (!available) {
    return <p data-testid="credential-coverage">This platform does not say who needs them.</p>;
  }
  return (
    <p data-testid="credential-coverage">
      {runs_looked_at === 0
        ? 'No run was made yet, so nothing needs one.'
        : `Needed is what the specs of the newest ${countText(runs_looked_at, 'run')} ask for.`}
      {runs_left_out > 0 && ` ${countText(runs_left_out, 'run')} more could not be looked at.`}
    </p>
  );
}

function Entries(
  props: CredentialSection & {
    /** Stores a secret; undefined where none can be stored. */
    readonly onSet: ((row: CredentialRow) => void) | undefined;
  },
) {
  const { section, rows, onSet } = props;
  const { title, about } = TITLES[section] ?? { title: section.replaceAll('_', ' '), about: '' };
  const present = rows.filter((row) => row.present).length;
  const doExpire = rows.some(({ expiresAt }) => expiresAt !== null);
  return (
    <section className="sw-operate-section" data-testid={`credentials-${section}`}>
      <h2 className="sw-section-title">{title}</h2>
      <p>
        {about} {present} of {rows.length} present.
      </p>
      <table className="sw-plain-table sw-credentials" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Variable</th>
            <th scope="col">State</th>
            <th scope="col">Needed by</th>
            {doExpire && <th scope="col">Expires</th>}
            <th scope="col">
              <span className="sw-visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.variable} data-testid={`credential-${row.variable}`}>
              <td>{row.names.join(', ')}</td>
              <td className="sw-mono">{row.variable}</td>
              <td>
                <State row={row} />
              </td>
              <td>
                <NeededBy need={row.need} />
              </td>
              {doExpire && (
                <td>{row.expiresAt === null ? 'not told' : <TimeAgo at={row.expiresAt} />}</td>
              )}
              <td data-align="right">
                {onSet !== undefined && row.settable && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`${row.present ? 'Replace' : 'Set'} ${row.variable}…`}
                    onClick={() => onSet(row)}
                  >
                    {row.present ? 'Replace…' : 'Set…'}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function State({ row }: { readonly row: CredentialRow }) {
  const { tone, text } = credentialState(row);
  return (
    <span
      title={
        row.present && !row.usable
          ? 'Specs get it once it is stored in the settings or listed in SERV_SPEC_SECRETS'
          : undefined
      }
    >
      <Badge tone={tone}>{text}</Badge>
    </span>
  );
}

/** So many workflows are named; the rest is counted. */
const NAMED = 3;

function NeededBy({ need }: { readonly need: CredentialNeed | undefined }) {
  if (need === undefined) {
    return <span className="sw-faint">–</span>;
  }
  const more = need.workflows.length - NAMED;
  return (
    <>
      {need.workflows.slice(0, NAMED).map(({ name, agent_name, runs, last_run_id }, at) => (
        <span key={`${name} ${agent_name}`}>
          {at > 0 && ', '}
          <AppLink to={name === '' ? paths.run(last_run_id) : paths.runs({ workflow: name })}>
            {name || agent_name || 'a spec without a name'}
          </AppLink>{' '}
          <span className="sw-faint">({countText(runs, 'run')})</span>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}
