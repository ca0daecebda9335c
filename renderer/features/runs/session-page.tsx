import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './session.css';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getSession, type SessionView } from '../../../server/contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { runName } from '../../data/run-name.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { runDuration } from './run-model.ts';
import { PauseLines, Said, usePauses } from './session-lines.tsx';
import { sessionTotals, silenceOf } from './session-model.ts';

type SessionRun = SessionView['runs'][number];

const pace = restful(({ runs }: SessionView) => runs.map(({ run_id, status }) => [run_id, status]));
const COST_DIGITS = 6;

/** Everything that was said in the runs of a session, oldest first, with what they took together. */
export function SessionPage(props: { readonly sessionId: string }) {
  const session = useQuery({
    ...routeQuery(getSession, { params: { session_id: props.sessionId } }),
    refetchInterval: (query) =>
      query.state.data?.runs.every(({ status }) => isTerminalStatus(status)) === true
        ? false
        : pace(query),
  });
  return (
    <Page
      title={t('Session')}
      testId="session-page"
      sub={
        <span className="sw-run-line">
          <CopyCode value={props.sessionId} label={t('Copy session id')} />
          {session.data !== undefined && <Totals session={session.data} />}
        </span>
      }
    >
      {session.isSuccess ? <Turns session={session.data} /> : <Unread query={session} rows={6} />}
    </Page>
  );
}

function Totals(props: { readonly session: SessionView }) {
  const totals = sessionTotals(props.session);
  return (
    <>
      <span>
        {t('{count, plural, one {# run} other {# runs}}', { count: totals.runs })}
        {totals.left !== null &&
          totals.left > 0 &&
          t(', the first of {runs}', { runs: totals.runs + totals.left })}
      </span>
      <span>{t('{duration} at work', { duration: durationText(totals.worked) })}</span>
      {totals.told > 0 && (
        <span data-testid="session-use">
          {rich('{tokens} tokens{value}{value2}', {
            tokens: totals.tokens,
            value:
              totals.cost !== null &&
              t(', about {number} {currency}', {
                number: Number(totals.cost.toFixed(COST_DIGITS)),
                currency: totals.currency,
              }),
            value2:
              totals.told < totals.runs &&
              t(', told by {told} of {runs} runs', { told: totals.told, runs: totals.runs }),
          })}
        </span>
      )}
    </>
  );
}

function Turns(props: { readonly session: SessionView }) {
  const { runs, available } = props.session;
  if (!available) {
    return (
      <EmptyState title={t('This platform does not list the runs of a session')}>
        {t('It knows no filter by session. Look a run up in the list of runs instead.')}
      </EmptyState>
    );
  }
  if (runs.length === 0) {
    return (
      <EmptyState title={t('No runs in this session')}>
        {t('Nothing was started under this id, or its runs were removed.')}
      </EmptyState>
    );
  }
  return (
    <ol className="sw-session">
      {runs.map((run) => (
        <Turn key={run.run_id} run={run} />
      ))}
    </ol>
  );
}

function Turn(props: { readonly run: SessionRun }) {
  const { run } = props;
  const took = run.completed_at === null ? null : runDuration(run, 0);
  const { ref, inViewport } = useInViewport<HTMLLIElement>();
  const [seen, setSeen] = useState(false);
  if (inViewport && !seen) {
    setSeen(true);
  }
  const pauses = usePauses(run, seen);
  const waits = run.status === 'blocked' && pauses.length > 0;
  return (
    <li data-testid={`turn-${run.run_id}`} ref={ref}>
      <header>
        <StatusBadge status={run.status} />
        <AppLink to={paths.run(run.run_id)}>
          {runName(run)} {shortRunId(run.run_id)}
        </AppLink>
        <span className="sw-faint">
          <TimeAgo at={run.created_at} />
          {took !== null && t(', took {duration}', { duration: durationText(took) })}
          {run.usage?.total_tokens != null &&
            t(', {total_tokens} tokens', { total_tokens: run.usage.total_tokens })}
        </span>
      </header>
      <Said who="input" text={run.input_excerpt} silence={t('no input')} />
      {pauses.map((pause) => (
        <PauseLines key={`${pause.task} ${pause.from}`} pause={pause} status={run.status} />
      ))}
      {!waits && (
        <Said
          who={run.error_excerpt === null ? 'output' : 'error'}
          text={run.error_excerpt ?? (run.status === 'blocked' ? null : run.output_excerpt)}
          silence={silenceOf(run)}
        />
      )}
    </li>
  );
}
