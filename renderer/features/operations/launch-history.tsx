import { t } from '../../../preload/texts/t.ts';
import '../../ui/plain-table.css';
import { Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type LaunchHistoryEntry,
  listLaunches,
  listLaunchResults,
} from '../../../server/contract/dashboard/launch.ts';
import { isStoppedStatus, isTerminalStatus } from '../../../server/contract/platform/run-status.ts';
import type { SuccessBody } from '../../../server/contract/route.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { pauseOfFailure } from '../../data/failure-pace.ts';
import { routeQuery } from '../../data/query-client.ts';
import { actorName } from '../../ui/actor-name.ts';
import { CompareLastSuccess } from '../../ui/compare-last-success.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { RunLink } from './audit-parts.tsx';
import { groupsOf, type LaunchGroup } from './launch-history-model.ts';
import { refillHindrance } from './launch-refill-model.ts';
import { HAS_STUDIO } from './launch-studio.ts';

/** A digest as far as people compare it. */
const SHOWN = 15;
/** Results are asked for again while one of them may change. */
const RESULTS_MS = 10_000;

/** How runs stand, and which were not read just now. */
interface Results {
  readonly statuses: ReadonlyMap<string, string>;
  /** The code of why, by run. */
  readonly unread: ReadonlyMap<string, string>;
}

/** True while an answer may become another one. */
function mayChange(told: SuccessBody<typeof listLaunchResults> | undefined): boolean {
  return (
    told !== undefined &&
    (told.unread !== undefined || told.results.some(({ status }) => !isTerminalStatus(status)))
  );
}

function useResults(entries: readonly LaunchHistoryEntry[]): Results {
  const run_ids = entries.flatMap(({ run_id }) => (run_id === null ? [] : [run_id])).join(',');
  const { data } = useQuery({
    ...routeQuery(listLaunchResults, { query: { run_ids } }),
    enabled: run_ids !== '',
    staleTime: 0,
    refetchInterval: (query) =>
      pauseOfFailure(query) ?? (mayChange(query.state.data) ? RESULTS_MS : false),
  });
  return {
    statuses: new Map(data?.results.map(({ run_id, status }) => [run_id, status])),
    unread: new Map(data?.unread?.map(({ run_id, code }) => [run_id, code])),
  };
}

interface Again {
  /** Why nothing is launched from here; undefined when it may be. */
  readonly hindrance: string | undefined;
  readonly onAgain: (entry: LaunchHistoryEntry) => void;
}

/** The newest launches by spec, each with how it went, to be launched again. */
export function LaunchHistory(props: Again) {
  const query = useQuery({ ...routeQuery(listLaunches), staleTime: 0 });
  const entries = query.data?.entries ?? [];
  const results = useResults(entries);
  return (
    <section className="sw-operate-section" data-testid="launch-history">
      <h2 className="sw-section-title">{t('Launched lately')}</h2>
      <Unread query={query} rows={3} compact />
      {query.isSuccess && entries.length === 0 && (
        <p>
          {t(
            'Nothing yet. What is launched here, and runs of artifacts, are listed by their spec.',
          )}
        </p>
      )}
      {entries.length > 0 && (
        <table className="sw-plain-table sw-launches">
          <thead>
            <tr>
              <th scope="col">{t('Spec')}</th>
              <th scope="col">{t('When')}</th>
              <th scope="col">{t('By')}</th>
              <th scope="col">{t('Environment')}</th>
              <th scope="col">{t('Result')}</th>
              <th scope="col">
                <span className="sw-visually-hidden">{t('Again')}</span>
              </th>
            </tr>
          </thead>
          {groupsOf(entries).map((group) => (
            <Group key={group.key} {...props} group={group} results={results} />
          ))}
        </table>
      )}
    </section>
  );
}

function Group(props: Again & { readonly group: LaunchGroup; readonly results: Results }) {
  const { group, ...rest } = props;
  const [isOpen, setOpen] = useState(false);
  const { earlier, newest } = group;
  return (
    <tbody data-testid="launch-group">
      <tr>
        <td>
          <strong>{group.title}</strong> <span className="sw-faint">{group.from}</span>{' '}
          <Version entry={newest} />
          {earlier.length > 0 && (
            <button
              type="button"
              className="sw-launch-fold"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {t('{count, plural, one {# earlier launch} other {# earlier launches}}', {
                count: earlier.length,
              })}
            </button>
          )}
        </td>
        <Cells {...rest} entry={newest} />
      </tr>
      {isOpen &&
        earlier.map((entry) => (
          <tr key={entry.id} className="sw-launch-earlier">
            <td>
              <Version entry={entry} />
            </td>
            <Cells {...rest} entry={entry} />
          </tr>
        ))}
    </tbody>
  );
}

/** Which of the texts of a spec it was. */
function Version({ entry: { source, digest } }: { readonly entry: LaunchHistoryEntry }) {
  if (source?.kind === 'artifact') {
    return (
      <span className="sw-faint" title={t('Revision {revision}', { revision: source.revision })}>
        {HAS_STUDIO ? (
          <AppLink to={paths.artifact(source.project_id, source.artifact_id)}>
            {source.artifact_id.slice(0, 6)}
          </AppLink>
        ) : (
          <code className="sw-mono">{source.artifact_id.slice(0, 6)}</code>
        )}
      </span>
    );
  }
  const version = source === undefined ? digest?.slice(0, SHOWN) : source.revision.slice(0, 8);
  return version === undefined ? null : (
    <code className="sw-faint sw-mono" title={source?.revision ?? digest ?? ''}>
      {version}
    </code>
  );
}

function Cells(props: Again & { readonly entry: LaunchHistoryEntry; readonly results: Results }) {
  const { entry, results, onAgain } = props;
  const { run_id, name, via, created_by } = entry;
  const status = results.statuses.get(run_id ?? '');
  const unread = results.unread.get(run_id ?? '');
  const hindrance = props.hindrance ?? refillHindrance(entry, HAS_STUDIO);
  return (
    <>
      <td>
        <TimeAgo at={entry.created_at} />
      </td>
      <td title={created_by}>
        {name ?? actorName(created_by)}{' '}
        {via === 'studio' && <span className="sw-faint">{t('in the studio')}</span>}
      </td>
      <td>{entry.environment ?? t('none')}</td>
      <td>
        {status !== undefined && <StatusBadge status={status} />}
        {unread !== undefined && (
          <span
            className="sw-faint"
            title={t(
              'The platform did not tell how this run stands ({unread}). It is asked again.',
              { unread },
            )}
          >
            {t('not read now')}
          </span>
        )}{' '}
        {run_id === null ? t('no run') : <RunLink runId={run_id} />}
        {run_id !== null && status !== undefined && isStoppedStatus(status) && (
          <CompareLastSuccess runId={run_id} size="compact-xs" />
        )}
      </td>
      <td data-align="right">
        <Tooltip label={hindrance ?? ''} disabled={hindrance === undefined}>
          <Button
            size="compact-xs"
            variant="default"
            // A button that is switched off takes no pointer, so that nothing would tell why.
            {...(hindrance === undefined
              ? {}
              : { 'data-disabled': true, 'aria-disabled': true, 'aria-description': hindrance })}
            onClick={() => {
              if (hindrance === undefined) {
                onAgain(entry);
              }
            }}
            data-testid="launch-again"
          >
            {t('Launch again')}
          </Button>
        </Tooltip>
      </td>
    </>
  );
}
