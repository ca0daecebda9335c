import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { listAudit, listAuditLog } from '../../../server/contract/dashboard/audit.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { eventWords } from '../../ui/audit-words.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { factsLine } from './audit-facts.ts';
import { actLine } from './audit-model.ts';

/** So much of the other side is shown below a row. */
const SHOWN = 5;

/** One row in full, with what the other side says of its run. */
export function AuditDetail(props: {
  /** The code that the row is written as. */
  readonly code: string;
  readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly runId: string | null;
  readonly other: 'platform' | 'operators';
}) {
  const { body, runId, other } = props;
  return (
    <section className="sw-audit-detail" aria-label={t('Details')} data-testid="audit-detail">
      <dl className="sw-facts">
        {props.facts.map(({ name, value }) => (
          <div key={name} className="sw-operate-fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="sw-operate-fact">
          <dt>{t('Recorded as')}</dt>
          <dd>
            <CopyCode value={props.code} />
          </dd>
        </div>
        {runId !== null && (
          <div className="sw-operate-fact">
            <dt>{t('Run')}</dt>
            <dd>
              <CopyCode value={runId} /> <AppLink to={paths.run(runId)}>{t('Open it')}</AppLink>
            </dd>
          </div>
        )}
      </dl>
      {body !== undefined && Object.keys(body).length > 0 && (
        <pre className="sw-mono">{JSON.stringify(body, null, 2)}</pre>
      )}
      {runId !== null && other === 'operators' && <PeopleOfRun runId={runId} />}
      {runId !== null && other === 'platform' && <EventsOfRun runId={runId} />}
    </section>
  );
}

function Joined(props: {
  readonly title: string;
  readonly none: string;
  readonly query: Parameters<typeof Unread>[0]['query'] & { readonly isSuccess: boolean };
  readonly rows: readonly { readonly id: string; readonly at: string; readonly text: string }[];
  readonly all: string;
}) {
  const { query, rows } = props;
  return (
    <div className="sw-audit-joined" data-testid="audit-joined">
      <h3>{props.title}</h3>
      <Unread query={query} rows={2} compact />
      {query.isSuccess && rows.length === 0 && <p>{props.none}</p>}
      <ul>
        {rows.slice(0, SHOWN).map(({ id, at, text }) => (
          <li key={id}>
            {text}{' '}
            <span className="sw-faint">
              <TimeAgo at={at} />
            </span>
          </li>
        ))}
      </ul>
      {rows.length > 0 && <AppLink to={props.all}>{t('All of it')}</AppLink>}
    </div>
  );
}

function PeopleOfRun({ runId }: { readonly runId: string }) {
  const query = useQuery(routeQuery(listAuditLog, { query: { target: runId, limit: SHOWN } }));
  const rows = (query.data?.entries ?? []).map((entry) => ({
    id: entry.id,
    at: entry.created_at,
    text: actLine(entry),
  }));
  return (
    <Joined
      title={t('What people did to this run')}
      none={t('Nobody did anything to it through this dashboard.')}
      query={query}
      rows={rows}
      all={paths.audit({ tab: 'operators', run: runId })}
    />
  );
}

function EventsOfRun({ runId }: { readonly runId: string }) {
  const query = useQuery(routeQuery(listAudit, { query: { run_id: runId, limit: SHOWN } }));
  const rows = (query.data?.rows ?? []).map(({ id, created_at, event_type, metadata }) => ({
    id,
    at: created_at,
    text: [eventWords(event_type), factsLine(metadata)].filter((part) => part !== '').join(' · '),
  }));
  return (
    <Joined
      title={t('What the platform wrote of this run')}
      none={t('The platform of this environment wrote nothing of it.')}
      query={query}
      rows={rows}
      all={paths.audit({ run: runId })}
    />
  );
}
