import { Button, Radio, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { HumanTaskDetail } from '../../../server/contract/dashboard/human-tasks.ts';
import { useLack } from '../../data/connections.ts';
import { useHindrance } from '../../data/operator.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { SingleKey } from '../../ui/single-key.tsx';
import { useStore } from '../../ui/store.ts';
import {
  type AnswerDraft,
  type Decision,
  decisionsOf,
  effectOf,
  emptyAnswer,
  missingFor,
} from './decisions-model.ts';
import { decideBesideRun, decisionsStore, takeDecision } from './held-decisions.ts';

/** What somebody filled in so far. */
export interface TypedAnswer {
  readonly taskId: string;
  readonly draft: AnswerDraft;
}

/** A correction that differs from the text that waits: what it changes is shown before it is sent. */
function changesText(task: HumanTaskDetail, { content }: AnswerDraft): boolean {
  return task.request_type === 'correction' && content !== (task.input_text ?? '');
}

/** It can be undone, it is on its way, or it was accepted. */
type Stage = 'held' | 'sent' | 'accepted';

/** The decision that was taken on the task, and how far it is; null while none was. */
function useTaken(taskId: string): { readonly title: string; readonly stage: Stage } | null {
  const { held, leaving, accepted } = useStore(decisionsStore);
  if (held?.taskId === taskId) {
    return { title: held.title, stage: 'held' };
  }
  if (accepted.has(taskId)) {
    return { title: '', stage: 'accepted' };
  }
  const sent = leaving.find((decision) => decision.taskId === taskId);
  return sent === undefined ? null : { title: sent.title, stage: 'sent' };
}

/** The decisions on a task, each with its exact effect; with `onTyped`, its page takes them by key too. */
export function TaskForm(props: {
  readonly task: HumanTaskDetail;
  /** The run in words, for what is said of a decision later. */
  readonly subject: string;
  /** The decisions stand in one row that stays in sight. */
  readonly low: boolean;
  readonly onTyped?: ((answer: TypedAnswer) => void) | undefined;
  /** Present where the run itself is shown: hears that it goes on. */
  readonly onAnswered?: (() => void) | undefined;
}) {
  const { task, onTyped, onAnswered } = props;
  const [draft, setDraft] = useState<AnswerDraft>(() => emptyAnswer(task));
  const mayNot = useHindrance('run.control');
  const hindrance = useLack('answer') ?? mayNot;
  const decisions = decisionsOf(task);
  const blocked = (decision: Decision): string | undefined =>
    hindrance ?? missingFor(decision, task, draft);
  const taskId = task.continuation_id;
  const taken = useTaken(taskId);
  const stage = taken?.stage ?? null;
  const isBeside = onAnswered !== undefined;
  useEffect(() => onTyped?.({ taskId, draft }), [onTyped, taskId, draft]);
  useEffect(() => (isBeside ? decideBesideRun(taskId) : undefined), [isBeside, taskId]);
  useEffect(() => {
    if (stage === 'accepted') {
      onAnswered?.();
    }
  }, [stage, onAnswered]);
  return (
    <div className="sw-task-form">
      {task.options.length > 0 && (
        <Radio.Group
          label={t('Option')}
          description={t('Goes with “Choose option” only')}
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
              label={option === task.default_option ? t('{option} (default)', { option }) : option}
            />
          ))}
        </Radio.Group>
      )}
      <Textarea
        label={task.request_type === 'correction' ? t('Corrected text') : t('Your text')}
        description={t('Goes to the next step with the decision')}
        value={draft.content}
        onChange={(event) => setDraft({ ...draft, content: event.currentTarget.value })}
        autosize
        minRows={2}
        maxRows={14}
      />
      {changesText(task, draft) && (
        <DiffView
          before={task.input_text ?? ''}
          after={draft.content}
          label={t('What you change')}
        />
      )}
      <ul className="sw-decisions" data-low={props.low} data-kept-free>
        {decisions.map((decision) => (
          <li key={decision.decision}>
            <Button
              size="xs"
              variant={decision.main ? 'filled' : 'default'}
              loading={stage === 'sent' && taken?.title === decision.title}
              disabled={blocked(decision) !== undefined || stage === 'sent' || stage === 'accepted'}
              onClick={() => takeDecision(task, props.subject, decision, draft)}
              data-testid={`decide-${decision.decision}`}
              aria-describedby={`effect-${decision.decision}`}
            >
              {decision.title}
            </Button>
            {onTyped !== undefined && <SingleKey of={decision.key} />}
            <span id={`effect-${decision.decision}`} className="sw-faint">
              {blocked(decision) ?? effectOf(decision, task, draft)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
