import { Button, Radio, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { HumanTaskDetail } from '../../../server/contract/dashboard/human-tasks.ts';
import { toApiError } from '../../data/api-error.ts';
import { useHindrance } from '../../data/operator.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import {
  type AnswerDraft,
  type Decision,
  decisionsOf,
  effectOf,
  emptyAnswer,
  missingFor,
  refusalText,
} from './decisions-model.ts';
import { decisionsStore, decisions as heldDecisions } from './held-decisions.ts';
import { useAnswer } from './use-answer.ts';

/** What somebody filled in so far; busy while an answer is on its way. */
export interface TypedAnswer {
  readonly taskId: string;
  readonly draft: AnswerDraft;
  readonly busy: boolean;
}

/** A correction that differs from the text that waits: what it changes is shown before it is sent. */
function changesText(task: HumanTaskDetail, { content }: AnswerDraft): boolean {
  return task.request_type === 'correction' && content !== (task.input_text ?? '');
}

/** The decisions on a task, each with its exact effect; with `onTyped`, its page takes them by key too. */
export function TaskForm(props: {
  readonly task: HumanTaskDetail;
  /** The decisions stand in one row that stays in sight. */
  readonly low: boolean;
  readonly onTyped?: ((answer: TypedAnswer) => void) | undefined;
  readonly onAnswered: () => void;
  /** Takes a decision in a way that can be undone; absent = it is sent at once. */
  readonly onTake?: ((decision: Decision, draft: AnswerDraft) => void) | undefined;
}) {
  const { task } = props;
  const [draft, setDraft] = useState<AnswerDraft>(() => emptyAnswer(task));
  const hindrance = useHindrance('run.control');
  const answer = useAnswer(task, props.onAnswered);
  const decisions = decisionsOf(task);
  const blocked = (decision: Decision): string | undefined =>
    hindrance ?? missingFor(decision, task, draft);
  const { onTyped } = props;
  const busy = answer.busy !== null;
  const taskId = task.continuation_id;
  useEffect(() => onTyped?.({ taskId, draft, busy }), [onTyped, taskId, draft, busy]);
  const refused = answer.error === undefined ? undefined : toApiError(answer.error);
  return (
    <div className="sw-task-form">
      {task.options.length > 0 && (
        <Radio.Group
          label="Option"
          description="Goes with “Choose option” only"
          className="sw-options"
          value={draft.option}
          onChange={(option) => setDraft({ ...draft, option })}
          mb="xs"
        >
          {task.options.map((option) => (
            <Radio
              key={option}
              className="sw-option"
              size="xs"
              value={option}
              label={option === task.default_option ? `${option} (default)` : option}
            />
          ))}
        </Radio.Group>
      )}
      <Textarea
        label={task.request_type === 'correction' ? 'Corrected text' : 'Your text'}
        description="Goes to the next step with the decision"
        value={draft.content}
        onChange={(event) => setDraft({ ...draft, content: event.currentTarget.value })}
        autosize
        minRows={2}
        maxRows={14}
      />
      {changesText(task, draft) && (
        <DiffView before={task.input_text ?? ''} after={draft.content} label="What you change" />
      )}
      {refused !== undefined && (
        <ErrorState
          compact
          title={refusalText(refused.code) ?? 'The answer was not taken'}
          error={refused}
        />
      )}
      <ul className="sw-decisions" data-low={props.low}>
        {decisions.map((decision) => (
          <li key={decision.decision}>
            <Button
              size="xs"
              variant={decision.main ? 'filled' : 'default'}
              loading={answer.busy === decision.decision}
              disabled={blocked(decision) !== undefined || busy}
              onClick={() => {
                if (props.onTake !== undefined) {
                  props.onTake(decision, draft);
                  return;
                }
                // A key may have taken another decision a moment ago; this one is what counts.
                if (decisionsStore.get().held?.taskId === taskId) {
                  heldDecisions.undo();
                }
                answer.send(decision, draft);
              }}
              data-testid={`decide-${decision.decision}`}
              aria-describedby={`effect-${decision.decision}`}
            >
              {decision.title}
            </Button>
            {onTyped !== undefined && <kbd className="sw-kbd">{decision.key}</kbd>}
            <span id={`effect-${decision.decision}`} className="sw-faint">
              {blocked(decision) ?? effectOf(decision, task, draft)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
