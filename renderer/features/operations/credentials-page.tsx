import '../../ui/plain-table.css';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type CredentialInventory,
  getCredentials,
} from '../../../server/contract/dashboard/credentials.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { OperatePage, Shut } from './operate-page.tsx';

type Section = CredentialInventory['sections'][number];

const TITLES: Readonly<Record<string, { readonly title: string; readonly about: string }>> = {
  providers: {
    title: 'Model providers',
    about: 'What models are called with. One that no spec names may be missing.',
  },
  extra: { title: 'Other secrets', about: 'What specs name for tools and requests.' },
  service_tokens: { title: 'Service tokens', about: 'What this program identifies itself with.' },
};

/** Which secrets the platform has, never a value. */
export function CredentialsPage() {
  const hindrance = useHindrance('credentials.read');
  return (
    <OperatePage
      title="Credentials"
      sub="Which secrets the platform has. No value is ever shown"
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

function Inventory() {
  const query = useQuery(routeQuery(getCredentials));
  const sections = query.data?.sections.filter(({ entries }) => entries.length > 0) ?? [];
  return (
    <>
      <Unread query={query} />
      {query.isSuccess && sections.length === 0 && (
        <EmptyState
          icon={<IconKey size={32} stroke={1.25} />}
          title="The platform names no secrets"
        >
          Keys of model providers are stored in the settings.
        </EmptyState>
      )}
      {sections.map((section) => (
        <Entries key={section.section} {...section} />
      ))}
      {query.isSuccess && (
        <p className="sw-faint">
          Keys are stored in the <AppLink to={paths.settings('models')}>settings</AppLink>. What one
          spec needs stands on its page of credentials, with what is missing.
        </p>
      )}
    </>
  );
}

/** Without the kind that the platform writes before a name: the section says it. */
function plainName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function Entries({ section, entries }: Section) {
  const { title, about } = TITLES[section] ?? { title: section.replaceAll('_', ' '), about: '' };
  const present = entries.filter((entry) => entry.present).length;
  return (
    <section className="sw-operate-section" data-testid={`credentials-${section}`}>
      <h2 className="sw-section-title">{title}</h2>
      <p>
        {about} {present} of {entries.length} present.
      </p>
      <table className="sw-plain-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Variable</th>
            <th scope="col">State</th>
            <th scope="col">Expires</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={`${entry.name} ${entry.env_var}`}>
              <td>{plainName(entry.name)}</td>
              <td className="sw-mono">{entry.env_var}</td>
              <td>
                <Badge tone={entry.present ? 'success' : 'neutral'}>{entry.status}</Badge>
              </td>
              <td>{entry.expires_at === null ? 'not told' : <TimeAgo at={entry.expires_at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
