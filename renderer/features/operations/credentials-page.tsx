import { t } from '../../../preload/texts/t.ts';
import { ActionsHeading } from '../../ui/actions-heading.tsx';
import { rich } from '../../ui/rich.ts';
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
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeyDialog } from '../../ui/key-dialog.tsx';
import { NewerRead } from '../../ui/newer-read.tsx';
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
    title: t('Model providers'),
    about: t('What models are called with. One that no spec names may be missing.'),
  },
  extra: { title: t('Other secrets'), about: t('What specs name for tools and requests.') },
  service_tokens: {
    title: t('Service tokens'),
    about: t('What this program identifies itself with.'),
  },
};

/** Which secrets the platform has and who needs them, never a value. */
export function CredentialsPage() {
  const hindrance = useHindrance('credentials.read');
  return (
    <OperatePage
      title={t('Credentials')}
      sub={t('Which secrets the platform has, and which specs need them. No value is ever shown')}
      testId="credentials-page"
    >
      {hindrance === undefined ? (
        <Inventory />
      ) : (
        <Shut
          title={t('Your role does not show them')}
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
          title={t('The platform names no secrets')}
        >
          {t('Keys of model providers are stored in the settings.')}
        </EmptyState>
      )}
      {!isAsked && <NewerRead query={needs} compact />}
      {needs.data !== undefined && <Coverage needs={needs.data} />}
      {sections.map((section) => (
        <Entries key={section.section} {...section} onSet={isHere ? setEdited : undefined} />
      ))}
      {query.isSuccess && (
        <p className="sw-faint">
          {rich(
            '{detail} What one spec needs stands on its page of credentials, with what is missing.',
            {
              detail: isHere ? (
                <>
                  {rich(
                    'What is stored here is listed in the <link>settings</link>, where it is removed too.',
                    { link: (text) => <AppLink to={paths.settings('models')}>{text}</AppLink> },
                  )}
                </>
              ) : (
                t('Secrets are set on the computer that runs the platform.')
              ),
            },
          )}
        </p>
      )}
      {edited !== undefined && keys.data !== undefined && (
        <KeyDialog
          title={t('Set {variable}', { variable: edited.variable })}
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
    return (
      <p data-testid="credential-coverage">{t('This platform does not say who needs them.')}</p>
    );
  }
  return (
    <p data-testid="credential-coverage">
      {runs_looked_at === 0
        ? t('No run was made yet, so nothing needs one.')
        : t(
            'Needed is what the specs of the newest {count, plural, one {# run} other {# runs}} ask for.',
            { count: runs_looked_at },
          )}
      {runs_left_out > 0 &&
        t(' {count, plural, one {# run} other {# runs}} more could not be looked at.', {
          count: runs_left_out,
        })}
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
      <p>{t('{about} {present} of {count} present.', { about, present, count: rows.length })}</p>
      <table className="sw-plain-table sw-credentials" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t('Name')}</th>
            <th scope="col">{t('Variable')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col">{t('Needed by')}</th>
            {doExpire && <th scope="col">{t('Expires')}</th>}
            <ActionsHeading />
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
                <td>{row.expiresAt === null ? t('not told') : <TimeAgo at={row.expiresAt} />}</td>
              )}
              <td data-align="right">
                {onSet !== undefined && row.settable && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={
                      row.present
                        ? t('Replace {variable}…', { variable: row.variable })
                        : t('Set {variable}…', { variable: row.variable })
                    }
                    onClick={() => onSet(row)}
                  >
                    {row.present ? t('Replace…') : t('Set…')}
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
          ? t('Specs get it once it is stored in the settings or listed in SERV_SPEC_SECRETS')
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
            {name || agent_name || t('a spec without a name')}
          </AppLink>{' '}
          <span className="sw-faint">
            ({t('{count, plural, one {# run} other {# runs}}', { count: runs })})
          </span>
        </span>
      ))}
      {more > 0 && t(' and {more} more', { more })}
    </>
  );
}
