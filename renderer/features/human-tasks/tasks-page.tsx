import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './human-tasks.css';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import {
  getHumanTask,
  type HumanTaskPage,
  type HumanTaskRow,
  listHumanTasks,
} from '../../../server/contract/dashboard/human-tasks.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { singleKeyOf, useChangedSingleKeys } from '../../app/single-keys.ts';
import { useSingleKeys, useSingleKeysOn } from '../../app/use-single-keys.ts';
import { useHindrance } from '../../data/operator.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { BulkDialog, type BulkJob } from '../../ui/bulk-dialog.tsx';
import { Deadline } from '../../ui/deadline.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { shortRunId } from '../../ui/short-id.ts';
import { SingleKey } from '../../ui/single-key.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { useStore } from '../../ui/store.ts';
import { Unread } from '../../ui/unread.tsx';
import type { QueueState } from './decision-queue.ts';
import { type Decision, decisionsOf, emptyAnswer } from './decisions-model.ts';
import { type EqualTask, EqualTasks } from './equal-tasks.tsx';
import { equalTasks } from './equal-tasks-model.ts';
import { GoneTask } from './gone-task.tsx';
import { decisions, decisionsStore, takeDecision } from './held-decisions.ts';
import type { TypedAnswer } from './task-form.tsx';
import { TaskPath } from './task-path.tsx';
import { chosenTask, isFound, neighbour } from './task-queue-model.ts';
import { TaskSearch } from './task-search.tsx';
import { TaskView } from './task-view.tsx';
import { useTaskNames } from './use-task-names.ts';

const pace = restful(({ rows }: HumanTaskPage) =>
  rows.map(({ continuation_id, status }) => [continuation_id, status]),
);
const LIMIT = 200;
/** So few tasks are seen at one look. */
const FEW = 5;

/** The queue of human tasks, nearest deadline first, with the chosen one beside it. */
export function TasksPage(props: {
  readonly taskId: string | null;
  /** Draws the run of a task as its own page does. */
  readonly drawRun: (run: RunDetail) => ReactNode;
}) {
  const tasks = useQuery({
    ...routeQuery(listHumanTasks, { query: { limit: LIMIT } }),
    staleTime: 0,
    refetchInterval: pace,
  });
  const open = tasks.data?.rows ?? [];
  const [words, setWords] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const nameOf = useTaskNames(open);
  const rows = open.filter((row) => isFound(row, nameOf(row), words));
  const lastIndex = useRef(0);
  const { wanted, choose } = useChosen(props.taskId);
  const current = chosenTask(rows, wanted, lastIndex.current);
  const [job, setJob] = useState<BulkJob<EqualTask> | null>(null);
  const isGone = useGone(props.taskId, open);
  const goneRun = useSeenRun(open, props.taskId);
  const currentId = current?.continuation_id;
  useEffect(() => {
    const at = rows.findIndex((row) => row.continuation_id === currentId);
    if (at >= 0) {
      lastIndex.current = at;
    }
  });
  const move = (step: 1 | -1): void => {
    const next = neighbour(rows, currentId, step);
    decisions.flush();
    if (next !== undefined) {
      choose(next.continuation_id);
    }
  };
  useSingleKeys({
    'tasks.next': () => move(1),
    'tasks.before': () => move(-1),
    'search.go': () => search.current?.focus(),
  });
  const subject = current === undefined ? '' : nameOf(current);
  const onTyped = useDecisionKeys(current, subject);
  const moveKeys = useMoveKeys();
  useNeighbour(neighbour(rows, currentId, 1)?.continuation_id);
  const total = tasks.data?.total ?? 0;
  const waiting =
    total > open.length ? t('The first {count} of {total}', { count: open.length, total }) : total;
  return (
    <Page
      title={t('Tasks')}
      testId="tasks-page"
      flush={open.length > 0}
      sub={
        open.length === 0
          ? t('Runs that wait for a person')
          : moveKeys
            ? rich('{detail} waiting. {key} {key2} move', {
                detail: waiting,
                key: <SingleKey of="tasks.next" />,
                key2: <SingleKey of="tasks.before" />,
              })
            : t('{detail} waiting.', { detail: waiting })
      }
    >
      <Unread query={tasks} />
      {tasks.isSuccess && open.length === 0 && (
        <EmptyState
          icon={<IconUserCheck size={32} stroke={1.25} />}
          title={t('No tasks are waiting')}
        >
          {t('A run that reaches a human step appears here.')}
        </EmptyState>
      )}
      {tasks.isSuccess && isGone && <GoneTask runId={goneRun} />}
      {open.length > 0 && (
        <div className="sw-inbox">
          <TaskSide
            rows={rows}
            isSearched={open.length > FEW || words !== ''}
            search={<TaskSearch field={search} value={words} onChange={setWords} />}
            nameOf={nameOf}
            currentId={currentId}
            onChoose={choose}
          />
          <div className="sw-inbox-task">
            {currentId !== undefined && (
              <TaskView
                key={currentId}
                continuationId={currentId}
                subject={subject}
                onTyped={onTyped}
                showRun
              />
            )}
            {current !== undefined && (
              <>
                <EqualTasks rows={equalTasks(rows, current)} onJob={setJob} />
                <TaskPath key={current.run_id} runId={current.run_id} drawRun={props.drawRun} />
              </>
            )}
          </div>
        </div>
      )}
      {job !== null && (
        <BulkDialog job={job} onPass={() => void tasks.refetch()} onClose={() => setJob(null)} />
      )}
    </Page>
  );
}

/** The open tasks, under a search where they are many. */
function TaskSide(props: {
  readonly rows: readonly HumanTaskRow[];
  readonly isSearched: boolean;
  readonly search: ReactNode;
  readonly nameOf: (row: HumanTaskRow) => string;
  readonly currentId: string | undefined;
  readonly onChoose: (taskId: string) => void;
}) {
  return (
    <div className="sw-inbox-side">
      {props.isSearched && props.search}
      {props.rows.length === 0 && <p className="sw-faint">{t('No open task has these words.')}</p>}
      <ol className="sw-inbox-list" aria-label={t('Open tasks')}>
        {props.rows.map((row) => (
          <TaskItem
            key={row.continuation_id}
            row={row}
            name={props.nameOf(row)}
            current={row.continuation_id === props.currentId}
            onChoose={props.onChoose}
          />
        ))}
      </ol>
    </div>
  );
}

/** True while an address names a task that is not among the open ones, and was not decided here. */
function useGone(taskId: string | null, rows: readonly HumanTaskRow[]): boolean {
  const { held, leaving, accepted } = useStore(decisionsStore);
  if (taskId === null || rows.some((row) => row.continuation_id === taskId)) {
    return false;
  }
  const own = [held, ...leaving].some((decision) => decision?.taskId === taskId);
  return !own && !accepted.has(taskId);
}

/** The run of a task that was open here before; null when it was never seen. */
function useSeenRun(rows: readonly HumanTaskRow[], taskId: string | null): string | null {
  const seen = useRef(new Map<string, string>());
  for (const row of rows) {
    seen.current.set(row.continuation_id, row.run_id);
  }
  return taskId === null ? null : (seen.current.get(taskId) ?? null);
}

/** True while a single key moves through the tasks. */
function useMoveKeys(): boolean {
  const changed = useChangedSingleKeys();
  const keys = [singleKeyOf('tasks.next', changed), singleKeyOf('tasks.before', changed)];
  return useSingleKeysOn() && keys.some((key) => key !== null);
}

/** The chosen task. The address follows it and may be a few keys late. */
function useChosen(taskId: string | null) {
  const [wanted, setWanted] = useState(taskId);
  const sent = useRef(taskId);
  useEffect(() => {
    if (sent.current === taskId) {
      sent.current = null;
    } else if (sent.current === null) {
      setWanted(taskId);
    }
  }, [taskId]);
  const choose = useCallback((id: string): void => {
    sent.current = id;
    setWanted(id);
    navigateTo(paths.task(id), { replace: true });
  }, []);
  return { wanted, choose };
}

/** Single keys decide the chosen task, also before its details are here; leaving it sends the decision. */
function useDecisionKeys(
  row: HumanTaskRow | undefined,
  subject: string,
): (answer: TypedAnswer) => void {
  const typed = useRef<TypedAnswer | null>(null);
  const hindrance = useHindrance('run.control');
  const taskId = row?.continuation_id;
  const take = (decision: Decision): void => {
    if (row !== undefined && hindrance === undefined) {
      const task = { ...row, input_text: null };
      const own = typed.current?.taskId === taskId ? typed.current : null;
      takeDecision(task, subject, decision, own?.draft ?? emptyAnswer(task));
    }
  };
  const offered = row === undefined ? [] : decisionsOf(row);
  useSingleKeys(Object.fromEntries(offered.map((item) => [item.key, () => take(item)])), true);
  useEffect(() => {
    void taskId;
    return decisions.flush;
  }, [taskId]);
  return useCallback((answer: TypedAnswer): void => {
    typed.current = answer;
  }, []);
}

/** Reads the next task ahead, so that moving on shows it at once. */
function useNeighbour(taskId: string | undefined): void {
  useEffect(() => {
    if (taskId !== undefined) {
      void queryClient.prefetchQuery(
        routeQuery(getHumanTask, { params: { continuation_id: taskId } }),
      );
    }
  }, [taskId]);
}

function TaskItem(props: {
  readonly row: HumanTaskRow;
  readonly name: string;
  readonly current: boolean;
  readonly onChoose: (taskId: string) => void;
}) {
  const { row, current } = props;
  const taken = takenText(useStore(decisionsStore), row.continuation_id);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) {
      item.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [current]);
  return (
    <li ref={item}>
      <button
        type="button"
        className="sw-bare"
        aria-current={current ? 'true' : undefined}
        onClick={() => props.onChoose(row.continuation_id)}
        data-testid={`task-${row.continuation_id}`}
      >
        <span className="sw-inbox-head">
          <strong>{props.name}</strong>
          {taken === undefined ? <Deadline expiresAt={row.expires_at} /> : <Badge>{taken}</Badge>}
        </span>
        <span className="sw-inbox-text">{row.request_summary}</span>
        {row.input_preview !== null && (
          <span className="sw-inbox-text sw-faint">{row.input_preview}</span>
        )}
        <span className="sw-inbox-head sw-faint">
          <span>{askedText(row.created_age)}</span>
          <span className="sw-mono">{shortRunId(row.run_id)}</span>
          {row.status === 'escalated' && <StatusBadge status={row.status} />}
        </span>
      </button>
    </li>
  );
}

function askedText(age: string): string {
  if (age === '—') {
    return '';
  }
  return age === '0s' ? t('asked just now') : t('asked {age} ago', { age });
}

function takenText({ held, leaving, accepted }: QueueState, taskId: string): string | undefined {
  if (held?.taskId === taskId) {
    return held.title;
  }
  const sent = leaving.find((decision) => decision.taskId === taskId);
  return sent?.title ?? (accepted.has(taskId) ? t('decided') : undefined);
}
