import { Button, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getHumanTask,
  type HumanTaskDetail,
  listHumanTasks,
  resumeHumanTask,
} from '../../../server/contract/dashboard/human-tasks.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { type Decision, decisionsOf } from './decisions-model.ts';

/** A human task with what it asks and the decisions that it takes. */
export function TaskAnswer(props: {
  readonly continuationId: string;
  readonly onAnswered: () => void;
}) {
  const task = useQuery(
    routeQuery(getHumanTask, { params: { continuation_id: props.continuationId } }),
  );
  if (task.isPending) {
    return <ListSkeleton rows={3} />;
  }
  if (task.isError) {
    return <ErrorState compact error={task.error} onRetry={() => void task.refetch()} />;
  }
  return (
    <OpenTask key={task.data.continuation_id} task={task.data} onAnswered={props.onAnswered} />
  );
}

function OpenTask(props: { readonly task: HumanTaskDetail; readonly onAnswered: () => void }) {
  const { task } = props;
  const [content, setContent] = useState('');
  const [option, setOption] = useState<string | null>(task.default_option);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const decisions = decisionsOf(task.request_type);
  const answer = async ({ decision }: Decision): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await call(
        resumeHumanTask,
        {
          params: { continuation_id: task.continuation_id },
          body: {
            decision,
            request_id: task.request_id,
            ...(content === '' ? {} : { content }),
            ...(task.options.length > 0 && option !== null ? { selected_option: option } : {}),
          },
        },
        { idempotencyKey: crypto.randomUUID() },
      );
      await queryClient.invalidateQueries({ queryKey: routePrefix(listHumanTasks) });
      notifyDone('Answered; the run goes on');
      props.onAnswered();
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="sw-card" data-testid="task">
      <strong>{task.title ?? task.request_summary}</strong>
      {task.prompt !== null && task.prompt !== task.title && <p>{task.prompt}</p>}
      {task.input_text !== null && <pre className="sw-run-text">{task.input_text}</pre>}
      {task.options.length > 0 && (
        <Select
          label="Option"
          data={task.options}
          value={option}
          onChange={setOption}
          allowDeselect={false}
        />
      )}
      <Textarea
        mt="xs"
        label="Your text"
        description="Goes to the next step with the decision; may be empty"
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        autosize
        minRows={2}
      />
      {error !== undefined && <ErrorState compact title="Not answered" error={error} />}
      <div className="sw-run-decisions">
        {decisions.map((decision) => (
          <Button
            key={decision.decision}
            size="xs"
            variant={decision.main ? 'filled' : 'default'}
            loading={busy}
            title={decision.effect}
            onClick={() => void answer(decision)}
            data-testid={`decide-${decision.decision}`}
          >
            {decision.title}
          </Button>
        ))}
      </div>
    </div>
  );
}
