import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getReplay, getTrace } from '../../../server/contract/dashboard/run-record.ts';
import type { SessionView } from '../../../server/contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useDecisions } from '../../data/use-decisions.ts';
import { actorName } from '../../ui/actor-name.ts';
import { durationText } from '../../ui/relative-time.ts';
import { rich } from '../../ui/rich.ts';
import { useNow } from '../../ui/use-now.ts';
import { type Pause, pausesOf } from './session-model.ts';

/** More waits than this of one run are looked up on its own page. */
const MOST = 50;
const NOTHING: readonly never[] = [];

/** The waits of a run for people, once somebody sees the run; asked again when its status changed. */
export function usePauses(
  run: Pick<SessionView['runs'][number], 'run_id' | 'status'>,
  seen: boolean,
): readonly Pause[] {
  const params = { run_id: run.run_id };
  const query = { event_type: 'human_intervention_requested', limit: MOST };
  const trace = routeQuery(getTrace, { params, query });
  const asked = useQuery({
    ...trace,
    queryKey: [...trace.queryKey, run.status],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: seen && run.status !== 'queued',
  });
  const events = asked.data?.events ?? NOTHING;
  const replay = routeQuery(getReplay, { params });
  const states = useQuery({
    ...replay,
    queryKey: [...replay.queryKey, run.status],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: events.length > 0,
  });
  const answered = run.status === 'blocked' ? events.length - 1 : events.length;
  const decisions = useDecisions(run.run_id, Math.max(0, answered));
  const timeline = states.data?.timeline ?? NOTHING;
  return useMemo(() => pausesOf(events, timeline, decisions), [events, timeline, decisions]);
}

const SAID_BY = { input: t('Input'), output: t('Output'), error: t('Error') } as const;

/** One side of the conversation. */
export function Said(props: {
  readonly who: 'input' | 'output' | 'error';
  readonly text: string | null;
  readonly silence: string;
}) {
  return (
    <section className="sw-said" data-who={props.who}>
      <h2>{SAID_BY[props.who]}</h2>
      {props.text === null ? <p className="sw-faint">{props.silence}</p> : <pre>{props.text}</pre>}
    </section>
  );
}

/** What a person was asked, and the answer; the way to the task while it is open. */
export function PauseLines(props: { readonly pause: Pause; readonly status: string }) {
  const { pause, status } = props;
  const isOpen = pause.until === null && !isTerminalStatus(status);
  return (
    <>
      <section className="sw-said" data-who="question" data-testid="pause">
        <h2>{t('Question to a person')}</h2>
        <p>{pause.question}</p>
        {isOpen && <Waits pause={pause} />}
      </section>
      {!isOpen && <Answer pause={pause} />}
    </>
  );
}

function Waits({ pause }: { readonly pause: Pause }) {
  const now = useNow();
  return (
    <p>
      {rich('Has waited for {duration}. <link>Answer it</link>', {
        duration: durationText(Math.max(0, now - pause.from)),
        link: (text) => (
          <AppLink to={paths.task(pause.task)} testId="answer-pause">
            {text}
          </AppLink>
        ),
      })}
    </p>
  );
}

function Answer({ pause }: { readonly pause: Pause }) {
  const mayRead = useHindrance('audit.read') === undefined;
  const { decided, until } = pause;
  if (until === null) {
    return (
      <section className="sw-said" data-who="answer">
        <h2>{t('No answer')}</h2>
        <p className="sw-faint">{t('Nobody answered before the run ended.')}</p>
      </section>
    );
  }
  return (
    <section className="sw-said" data-who="answer" data-testid="pause-answer">
      <h2>
        {decided === null
          ? t('Answer of a person')
          : t('Answer of {who}', { who: actorName(decided.actor) })}
      </h2>
      <p>
        {decided?.choice ??
          (mayRead
            ? t('It was answered; the audit does not say how.')
            : t('It was answered; who and how stands in the audit.'))}
      </p>
      <p className="sw-faint">
        {t('after {duration}', { duration: durationText(Math.max(0, until - pause.from)) })}
      </p>
    </section>
  );
}
