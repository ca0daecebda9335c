import './session.css';
import { useQuery } from '@tanstack/react-query';
import { getSession, type SessionView } from '../../../server/contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { runName } from '../../data/run-name.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { countText } from '../../ui/count-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { runDuration } from './run-model.ts';
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
      title="Session"
      testId="session-page"
      sub={
        <span className="sw-run-line">
          <CopyCode value={props.sessionId} label="Copy session id" />
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
        {countText(totals.runs, 'run')}
        {totals.left !== null && totals.left > 0 && `, the first of ${totals.runs + totals.left}`}
      </span>
      <span>{durationText(totals.worked)} at work</span>
      {totals.told > 0 && (
        <span data-testid="session-use">
          {totals.tokens} tokens
          {totals.cost !== null &&
            `, about ${Number(totals.cost.toFixed(COST_DIGITS))} ${totals.currency}`}
          {totals.told < totals.runs && `, told by ${totals.told} of ${totals.runs} runs`}
        </span>
      )}
    </>
  );
}

function Turns(props: { readonly session: SessionView }) {
  const { runs, available } = props.session;
  if (!available) {
    return (
      <EmptyState title="This platform does not list the runs of a session">
        It knows no filter by session. Look a run up in the list of runs instead.
      </EmptyState>
    );
  }
  if (runs.length === 0) {
    return (
      <EmptyState title="No runs in this session">
        Nothing was started under this id, or its runs were removed.
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
  return (
    <li data-testid={`turn-${run.run_id}`}>
      <header>
        <StatusBadge status={run.status} />
        <AppLink to={paths.run(run.run_id)}>
          {runName(run)} {shortRunId(run.run_id)}
        </AppLink>
        <span className="sw-faint">
          <TimeAgo at={run.created_at} />
          {took !== null && `, took ${durationText(took)}`}
          {run.usage?.total_tokens != null && `, ${run.usage.total_tokens} tokens`}
        </span>
      </header>
      <Said who="Input" text={run.input_excerpt} silence="no input" />
      <Said
        who={run.error_excerpt === null ? 'Output' : 'Error'}
        text={run.error_excerpt ?? (run.status === 'blocked' ? null : run.output_excerpt)}
        silence={silenceOf(run)}
      />
    </li>
  );
}

function Said(props: {
  readonly who: 'Input' | 'Output' | 'Error';
  readonly text: string | null;
  readonly silence: string;
}) {
  return (
    <section className="sw-said" data-who={props.who}>
      <h2>{props.who}</h2>
      {props.text === null ? <p className="sw-faint">{props.silence}</p> : <pre>{props.text}</pre>}
    </section>
  );
}
