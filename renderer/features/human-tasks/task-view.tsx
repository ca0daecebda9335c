import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './human-tasks.css';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  getHumanTask,
  type HumanTaskDetail,
} from '../../../server/contract/dashboard/human-tasks.ts';
import { getRun } from '../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { toApiError } from '../../data/api-error.ts';
import { useOnScreen } from '../../data/on-screen.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Deadline } from '../../ui/deadline.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { OfflineBadge } from '../../ui/offline-badge.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import { useRoom } from '../../ui/use-room.ts';
import { refusalText, timeoutText } from './decisions-model.ts';
import { requestWords } from './request-words.ts';
import { TaskContext } from './task-context.tsx';
import { TaskForm, type TypedAnswer } from './task-form.tsx';

/** What the frame of the window and the decisions, each with its effect, need beside the task. */
const BESIDE = 580;
/** What a task with all its decisions needs at least. */
const LEAST = 840;

/** One open task: what it asks, the text that waits, the conversation, and its decisions. */
export function TaskView(props: {
  readonly continuationId: string;
  /** The run in words, for what is said of a decision later. */
  readonly subject: string;
  /** Hears what is filled in, for decisions by key. */
  readonly onTyped?: (answer: TypedAnswer) => void;
  /** True when the task has a page of its own; false on the page of its run. */
  readonly showRun?: boolean;
  /** It stands where there is little height, whatever the window has. */
  readonly low?: boolean;
  /** Present where the run itself is shown: hears that it goes on. */
  readonly onAnswered?: () => void;
}) {
  const task = useQuery(
    routeQuery(getHumanTask, { params: { continuation_id: props.continuationId } }),
  );
  useOnScreen(paths.task(props.continuationId));
  const facts = useElementSize();
  // The decisions of a long task would stand where nobody sees them.
  const hasRoom = useRoom({ height: Math.max(LEAST, Math.ceil(facts.height) + BESIDE) });
  const low = !hasRoom || props.low === true;
  if (task.isError && toApiError(task.error).code === 'not_found') {
    return (
      <EmptyState compact title={t('Not open any more')}>
        {refusalText('not_found')}
      </EmptyState>
    );
  }
  if (task.data === undefined) {
    return <Unread query={task} rows={4} compact />;
  }
  return (
    <div data-testid="task" className={low ? 'sw-task-low' : undefined}>
      <Unread query={task} compact />
      <div ref={facts.ref}>
        <TaskFacts task={task.data} showRun={props.showRun === true} />
      </div>
      <TaskForm
        key={task.data.continuation_id}
        task={task.data}
        low={low}
        subject={props.subject}
        onTyped={props.onTyped}
        onAnswered={props.onAnswered}
      />
    </div>
  );
}

/** True when the offline runtime answered in the run of a task, so that nobody judges it as a model's. */
function useRunOffline(runId: string | null): boolean {
  const run = useQuery({
    ...routeQuery(getRun, { params: { run_id: runId ?? '' } }),
    enabled: runId !== null,
    staleTime: 10_000,
  });
  return run.data?.offline === true;
}

function TaskFacts(props: { readonly task: HumanTaskDetail; readonly showRun: boolean }) {
  const { task } = props;
  const title = task.title ?? task.request_summary;
  const offline = useRunOffline(task.run_id);
  const [Title, Part] = props.showRun ? (['h2', 'h3'] as const) : (['h3', 'h4'] as const);
  return (
    <>
      <div className="sw-task-line">
        <StatusBadge status={task.status} />
        <Deadline expiresAt={task.expires_at} />
        {task.request_type !== null && (
          <span className="sw-faint">{requestWords(task.request_type)}</span>
        )}
        {task.assignee !== null && (
          <span className="sw-faint">{t('for {assignee}', { assignee: task.assignee })}</span>
        )}
        {props.showRun && task.run_id !== null && (
          <AppLink to={paths.run(task.run_id)}>{t('Open run')}</AppLink>
        )}
      </div>
      <Title className="sw-task-title">{title}</Title>
      {task.prompt !== null && task.prompt !== title && <p>{task.prompt}</p>}
      {task.expires_at !== null && <p className="sw-faint">{timeoutText(task)}</p>}
      {task.input_text !== null && (
        <>
          <Part className="sw-section-title">
            {rich('Text that waits {offlineBadge}', { offlineBadge: offline && <OfflineBadge /> })}
          </Part>
          <pre className="sw-text-box sw-task-text">{task.input_text}</pre>
        </>
      )}
      <TaskContext task={task} Part={Part} />
      {task.messages.length > 0 && (
        <details className="sw-task-thread">
          <summary>{t('Conversation, {count} messages', { count: task.messages.length })}</summary>
          <ol>
            {task.messages.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and never move
              <li key={index}>
                <strong>{message.role}</strong>
                <pre className="sw-text-box sw-task-text">{message.content}</pre>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
