import { useCallback, useRef, useState } from 'react';
import {
  getHumanTask,
  type HumanTaskDetail,
  listHumanTasks,
  resumeHumanTask,
} from '../../../server/contract/dashboard/human-tasks.ts';
import { call } from '../../data/api-client.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { type AnswerDraft, answerBody, type Decision } from './decisions-model.ts';

export interface Answering {
  readonly busy: Decision['decision'] | null;
  readonly error: unknown;
  send(decision: Decision, draft: AnswerDraft): void;
}

/** Sends an answer once; a repeat of the same decision after a failure keeps its key. */
export function useAnswer(task: HumanTaskDetail, onAnswered: () => void): Answering {
  const [busy, setBusy] = useState<Decision['decision'] | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  const attempt = useRef({ body: '', key: '' });
  const send = useCallback(
    (decision: Decision, draft: AnswerDraft): void => {
      const body = answerBody(decision, task, draft);
      const text = JSON.stringify(body);
      if (attempt.current.body !== text) {
        attempt.current = { body: text, key: crypto.randomUUID() };
      }
      setBusy(decision.decision);
      setError(undefined);
      const params = { continuation_id: task.continuation_id };
      call(resumeHumanTask, { params, body }, { idempotencyKey: attempt.current.key })
        .then(async () => {
          onAnswered();
          await queryClient.invalidateQueries({ queryKey: routePrefix(listHumanTasks) });
        })
        .catch((cause: unknown) => {
          setError(cause);
          void queryClient.invalidateQueries({ queryKey: routePrefix(getHumanTask) });
          void queryClient.invalidateQueries({ queryKey: routePrefix(listHumanTasks) });
        })
        .finally(() => setBusy(null));
    },
    [task, onAnswered],
  );
  return { busy, error, send };
}
