import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './run-page.css';
import './runs.css';
import { Tabs } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import type { RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useCommand } from '../../app/use-command.ts';
import { useOnScreen } from '../../data/on-screen.ts';
import { runName } from '../../data/run-name.ts';
import { useRunOrigins } from '../../data/use-run-origins.ts';
import { useAnnounced } from '../../ui/announcer.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { Deadline } from '../../ui/deadline.tsx';
import { NewerRead } from '../../ui/newer-read.tsx';
import { OfflineBadge } from '../../ui/offline-badge.tsx';
import { Page } from '../../ui/page.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { Badge, StatusBadge, statusText } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useRoom } from '../../ui/use-room.ts';
import { usePageProject } from '../../workbench/page-project.ts';
import { LiveAnswers } from './live-answers.tsx';
import { RerunDialog } from './rerun-dialog.tsx';
import { RunActions } from './run-actions.tsx';
import { RunAdviceCard } from './run-advice-card.tsx';
import { RunDetails } from './run-details.tsx';
import { isItemFlow, isRehearsal, type RunFacts } from './run-facts.ts';
import { RunItemsView } from './run-items.tsx';
import { RunUnread } from './run-missing.tsx';
import { rateText, runDuration, runWait, TOOK_MEANS, usageText } from './run-model.ts';
import { NotesTitle, RunNotes } from './run-notes.tsx';
import { RunNotices } from './run-notices.tsx';
import { FailureLink, RunOriginLine } from './run-origin-line.tsx';
import { RunPolicy } from './run-policy.tsx';
import { runChanged, useReadAgainFor, useRun, useRunFacts, useSavedStates } from './run-queries.ts';
import { RunResult } from './run-result.tsx';
import { RunSession } from './run-session.tsx';
import { RunText } from './run-text.tsx';
import { type SavedState, type ShownState, shownAt } from './run-timeline.ts';
import { RunUsage } from './run-usage.tsx';
import { isRunTab, type RunView, runViewPath, tabOf } from './run-view-model.ts';

/** Nodes that the trace sees at work, and those whose latest work failed. */
export interface LiveNodes {
  readonly busy: readonly string[];
  readonly failed: readonly string[];
}

/** What the parts of the page that other features draw are given. */
export interface RunPartProps {
  readonly run: RunDetail;
  /** Node chosen in the graph; the trace shows only its events. */
  readonly node: string | null;
  readonly onNode: (id: string | null) => void;
  /** Every saved state, and the one that graph and trace show; null = the run as it is now. */
  readonly states: readonly SavedState[];
  readonly shown: ShownState | null;
  readonly onShow: (sequence: number | null) => void;
  readonly live: LiveNodes;
  readonly onLive: (live: LiveNodes) => void;
  /** The line of the timeline that the address names, and where its detail is drawn. */
  readonly event: string | null;
  readonly onEvent: (id: string | null) => void;
  readonly slot: HTMLElement | null;
  /** Opens the form to run again from a saved state. */
  readonly onRerun: (sequence: number) => void;
  /** Something of the run changed: read it again. */
  readonly onChange: () => void;
}

/** The parts that other features draw; `app` puts them in. */
export interface RunParts {
  readonly trace: (props: RunPartProps) => ReactNode;
  readonly graph: (props: RunPartProps) => ReactNode;
  readonly checkpoints: (props: RunPartProps) => ReactNode;
  readonly task: (props: RunPartProps) => ReactNode;
}

/** Narrower, the side stands below the timeline. */
const SIDE = { width: 941 };
const NOTHING_LIVE: LiveNodes = { busy: [], failed: [] };

/** One run: its state, the person it waits for, its output, its live trace and its path. */
export function RunDetailPage(props: {
  readonly runId: string;
  readonly view: RunView;
  readonly parts: RunParts;
}) {
  const { runId, view } = props;
  useOnScreen(paths.run(runId));
  const query = useRun(runId);
  const facts = useRunFacts(runId);
  const { states } = useSavedStates(runId, query.data !== undefined);
  const [live, setLive] = useState(NOTHING_LIVE);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [rerunFrom, setRerunFrom] = useState<number | null>(null);
  const hasSide = useRoom(SIDE);
  const run = query.data;
  const change = (next: Partial<RunView>): void =>
    navigateTo(runViewPath(runId, { ...view, ...next }), { replace: true });
  const shown = useMemo(
    () => (view.at === undefined ? null : shownAt(states, view.at)),
    [states, view.at],
  );
  const origin = useRunOrigins([run?.session_id]).get(run?.session_id ?? '');
  usePageProject(origin?.project_id);
  const openSpec = (): void => {
    if (origin !== undefined) {
      navigateTo(paths.draft(origin.project_id, origin.draft_ref));
    }
  };
  useCommand('run.open-spec', openSpec, origin !== undefined);
  useReadAgainFor(run?.status);
  useAnnounced(run === undefined ? null : t('Run {status}', { status: statusText(run.status) }));
  const last = states.at(-1)?.sequence;
  const rerunLast = last === undefined ? undefined : () => setRerunFrom(shown?.sequence ?? last);
  return (
    <Page
      title={run === undefined ? t('Run') : runName(run, origin)}
      testId="run-page"
      sub={
        <span className="sw-run-line">
          <CopyCode value={runId} shown={shortRunId(runId)} label={t('Copy run id')} />
          {run !== undefined && <RunLine run={run} facts={facts} />}
          {origin !== undefined && <RunOriginLine origin={origin} />}
        </span>
      }
      actions={
        run !== undefined && <RunActions run={run} onChange={runChanged} onRerun={rerunLast} />
      }
    >
      <RunUnread query={query} />
      {run !== undefined && (
        <RunBody
          parts={props.parts}
          view={view}
          onView={change}
          onSlot={setSlot}
          facts={facts}
          origin={origin}
          onRerunLast={rerunLast}
          with={{
            run,
            node: view.node ?? null,
            onNode: (id) => change({ node: id ?? undefined }),
            states,
            shown,
            onShow: (sequence) => change({ at: sequence ?? undefined }),
            live,
            onLive: setLive,
            event: view.event ?? null,
            onEvent: (event) => change({ event: event ?? undefined, tab: undefined }),
            slot: hasSide ? slot : null,
            onRerun: setRerunFrom,
            onChange: runChanged,
          }}
        />
      )}
      {run !== undefined && rerunFrom !== null && (
        <RerunDialog
          run={run}
          states={states}
          sequence={rerunFrom}
          onClose={() => setRerunFrom(null)}
        />
      )}
    </Page>
  );
}

function RunLine(props: { readonly run: RunDetail; readonly facts: RunFacts | undefined }) {
  const { run, facts } = props;
  const duration = runDuration(run, Date.now());
  const wait = runWait(run);
  const usage = usageText(run);
  return (
    <>
      <span data-testid="run-status" data-status={run.status}>
        <StatusBadge status={run.status} />
      </span>
      {run.offline && <OfflineBadge />}
      {facts?.recording != null && (
        <Badge tone="info">
          {facts.recording.mode === 'replay' ? t('replayed') : t('recorded')}
        </Badge>
      )}
      {facts !== undefined && isRehearsal(facts) && <Badge tone="info">{t('rehearsal')}</Badge>}
      {facts?.environment != null && <Badge>{facts.environment}</Badge>}
      <span>{rich('started {time}', { time: <TimeAgo at={run.created_at} /> })}</span>
      {wait !== null && <span>{t('waited {duration}', { duration: durationText(wait) })}</span>}
      {duration !== null && (
        <span title={TOOK_MEANS}>
          {run.is_terminal
            ? t('took {duration}', { duration: durationText(duration) })
            : t('{duration} so far', { duration: durationText(duration) })}
        </span>
      )}
      {usage !== undefined && (
        <span title={rateText(run)} data-testid="run-usage">
          {usage}
        </span>
      )}
      {!run.is_terminal && facts?.deadlineAt != null && (
        <span data-testid="run-deadline">
          {rich('deadline of the run {deadline}', {
            deadline: <Deadline expiresAt={facts.deadlineAt} />,
          })}
        </span>
      )}
    </>
  );
}

interface BodyProps {
  readonly parts: RunParts;
  readonly view: RunView;
  readonly onView: (next: Partial<RunView>) => void;
  readonly onSlot: (slot: HTMLElement | null) => void;
  readonly facts: RunFacts | undefined;
  readonly origin: RunOrigin | undefined;
  readonly onRerunLast: (() => void) | undefined;
  readonly with: RunPartProps;
}

function RunBody(props: BodyProps) {
  const { parts, facts } = props;
  const { run, onChange } = props.with;
  const advice = <RunAdviceCard run={run} onChange={onChange} onRerun={props.onRerunLast} />;
  return (
    <div className="sw-run">
      <div className="sw-run-main">
        {facts !== undefined && (
          <RunNotices facts={facts} runId={run.run_id} offline={run.offline} />
        )}
        {run.status === 'blocked' && run.continuation_id !== null && (
          <section className="sw-run-section sw-run-waiting">
            <h2 className="sw-section-title">{t('Waiting for a person')}</h2>
            {parts.task(props.with)}
            {advice}
          </section>
        )}
        {run.error !== null && (
          <section className="sw-run-section" role="alert" data-testid="run-error">
            <h2 className="sw-section-title">
              {rich('Error{value}', {
                value:
                  run.current_node_id !== null &&
                  t(' at {current_node_id}', { current_node_id: run.current_node_id }),
              })}
            </h2>
            <RunText text={run.error} tone="danger" />
            <FailureLink run={run} facts={facts} origin={props.origin} />
            {advice}
          </section>
        )}
        {run.error === null && run.status !== 'blocked' && advice}
        <RunOutput run={run} />
        <LiveAnswers runId={run.run_id} isLive={run.status === 'running'} />
        {facts !== undefined && isItemFlow(facts) && (
          <section className="sw-run-section">
            <h2 className="sw-section-title">{t('Items')}</h2>
            <RunItemsView runId={run.run_id} isOver={run.is_terminal} />
          </section>
        )}
        <RunUsage run={run} />
        <section className="sw-run-section">
          <h2 className="sw-section-title">{t('Timeline')}</h2>
          {parts.trace(props.with)}
        </section>
      </div>
      <RunSide {...props} />
    </div>
  );
}

function RunSide(props: BodyProps) {
  const { parts, view, onView, facts } = props;
  const { run, event } = props.with;
  const tab = tabOf(view);
  const { replay } = useSavedStates(run.run_id);
  return (
    <Tabs
      className="sw-run-side"
      data-tab={tab}
      value={tab}
      onChange={(next) => onView({ tab: isRunTab(next) ? next : undefined })}
      keepMounted={false}
    >
      <Tabs.List aria-label={t('More of this run')}>
        {event !== null && <Tabs.Tab value="event">{t('Event')}</Tabs.Tab>}
        <Tabs.Tab value="replay">{t('Path')}</Tabs.Tab>
        <Tabs.Tab value="details">{t('Input')}</Tabs.Tab>
        <Tabs.Tab value="policy">{t('Policy')}</Tabs.Tab>
        <Tabs.Tab value="session">{t('Session')}</Tabs.Tab>
        <Tabs.Tab value="notes">
          <NotesTitle runId={run.run_id} />
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="event">
        <div className="sw-run-event" ref={props.onSlot} />
      </Tabs.Panel>
      <Tabs.Panel value="replay">
        {parts.graph(props.with)}
        {replay.data === undefined ? (
          <NewerRead query={replay} rows={3} compact />
        ) : (
          parts.checkpoints(props.with)
        )}
      </Tabs.Panel>
      <Tabs.Panel value="details">
        <RunDetails run={run} facts={facts} />
      </Tabs.Panel>
      <Tabs.Panel value="policy">
        <RunPolicy runId={run.run_id} />
      </Tabs.Panel>
      <Tabs.Panel value="session">
        <RunSession runId={run.run_id} />
      </Tabs.Panel>
      <Tabs.Panel value="notes">
        <RunNotes runId={run.run_id} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** What the run gave; a blocked run's own text only says that it waits. */
function RunOutput(props: { readonly run: RunDetail }) {
  const { run } = props;
  if (run.status === 'blocked') {
    return run.continuation_id === null ? (
      <section className="sw-run-section">
        <h2 className="sw-section-title">{t('Waiting for a person')}</h2>
      </section>
    ) : null;
  }
  return (
    <section className="sw-run-section">
      <h2 className="sw-section-title">{run.is_terminal ? t('Output') : t('Output so far')}</h2>
      {run.output_text === null ? (
        <p className="sw-faint">{run.is_terminal ? t('The run has no output.') : t('None yet.')}</p>
      ) : (
        <RunResult text={run.output_text} testId="run-output" />
      )}
    </section>
  );
}
