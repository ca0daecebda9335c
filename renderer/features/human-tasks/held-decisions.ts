import { t } from '../../../preload/texts/t.ts';
import {
  getHumanTask,
  type HumanTaskDetail,
  listHumanTasks,
  resumeHumanTask,
} from '../../../server/contract/dashboard/human-tasks.ts';
import type { Route } from '../../../server/contract/route.ts';
import { call } from '../../data/api-client.ts';
import { toApiError } from '../../data/api-error.ts';
import { connectionStore } from '../../data/chosen-connection.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { localStore, readJson, writeJson } from '../../desktop/local-store.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { createStore } from '../../ui/store.ts';
import { writeOutput } from '../../workbench/output-store.ts';
import { createDecisionQueue, type QueueState, type TakenDecision } from './decision-queue.ts';
import {
  type AnswerDraft,
  answerBody,
  type Decision,
  missingFor,
  refusalText,
} from './decisions-model.ts';

const KEPT = 'decision:';
/** What `fetch` lets out of a page that is left. */
const KEEPALIVE_CHARS = 15_000;
const SEND_TIMEOUT_MS = 60_000;
const AGAIN = new Set([0, 401, 408, 429]);

/** Decisions that were taken: the one that can be taken back, and those on their way. */
export const decisionsStore = createStore<QueueState>({
  held: null,
  leaving: [],
  accepted: new Set(),
});

function isDecision(value: unknown): value is TakenDecision {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['taskId', 'title', 'subject', 'body', 'key', 'sendAt'].every((name) =>
      Object.hasOwn(value, name),
    )
  );
}

function keptDecisions(): TakenDecision[] {
  return localStore.keys().flatMap((key) => {
    const found = key.startsWith(KEPT)
      ? readJson<TakenDecision | null>(key, isDecision, null)
      : null;
    return found === null ? [] : [found];
  });
}

const reread = (...routes: readonly Route[]): void => {
  for (const route of routes) {
    void queryClient.invalidateQueries({ queryKey: routePrefix(route) });
  }
};

/** Tasks that are decided where their run is shown, which tells by itself that it goes on. */
const besideRun = new Set<string>();

/** Decisions of an earlier page, whose answer that page may not have seen. */
const inherited = new Set<string>();

/** The window's one queue of decisions; it outlives every page of the window. */
export const decisions = createDecisionQueue({
  now: () => Date.now(),
  newKey: () => crypto.randomUUID(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  send: ({ taskId, body, key, connection }) =>
    call(
      resumeHumanTask,
      { params: { continuation_id: taskId }, body },
      {
        idempotencyKey: key,
        connection: connection ?? null,
        keepalive: JSON.stringify(body).length < KEEPALIVE_CHARS,
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      },
    ),
  mayHelp(error) {
    const { status, message } = toApiError(error);
    return AGAIN.has(status) || status >= 500 ? message : undefined;
  },
  keep: (decision) => writeJson(KEPT + decision.key, decision),
  forget: (key) => localStore.remove(KEPT + key),
  isKept: (key) => localStore.get(KEPT + key) !== null,
  onChange: decisionsStore.set,
  onAccepted({ taskId, title, subject }) {
    if (!besideRun.has(taskId)) {
      notifyDone(t('{title}: {subject} goes on', { title, subject }));
    }
    reread(listHumanTasks);
  },
  onRefused({ title, subject, key }, error) {
    const { code } = toApiError(error);
    reread(listHumanTasks, getHumanTask);
    if (code === 'not_found' && inherited.has(key)) {
      writeOutput({
        level: 'info',
        message: t('{title}: {subject} was decided already', { title, subject }),
      });
      return;
    }
    notifyError(
      `${title}: ${subject}. ${refusalText(code) ?? t('The answer was not taken.')}`,
      error,
    );
  },
});

/** Takes a decision that can be undone for a moment; nothing while something is missing for it. */
export function takeDecision(
  task: Pick<
    HumanTaskDetail,
    | 'continuation_id'
    | 'request_id'
    | 'request_type'
    | 'options'
    | 'default_option'
    | 'on_timeout'
    | 'input_text'
  >,
  subject: string,
  decision: Decision,
  draft: AnswerDraft,
): void {
  if (missingFor(decision, task, draft) === undefined) {
    decisions.hold({
      taskId: task.continuation_id,
      title: decision.title,
      subject,
      body: answerBody(decision, task, draft),
      connection: connectionStore.get(),
    });
  }
}

/** Says that a task is decided beside its run; the answer says that nobody looks at it any more. */
export function decideBesideRun(taskId: string): () => void {
  besideRun.add(taskId);
  return () => {
    besideRun.delete(taskId);
    if (decisionsStore.get().held?.taskId === taskId) {
      decisions.flush();
    }
  };
}

const hasUnsent = ({ held, leaving }: QueueState): boolean => held !== null || leaving.length > 0;

/** Sends what an earlier page left, and everything that is held when this one goes; answers the way to stop. */
export function followDecisions(): () => void {
  const kept = keptDecisions();
  for (const { key } of kept) {
    inherited.add(key);
  }
  decisions.restore(kept);
  const api = desktopApi();
  let told = false;
  const tellShell = (): void => {
    const unsent = hasUnsent(decisionsStore.get());
    if (unsent !== told) {
      told = unsent;
      void api?.holdClose(unsent);
    }
  };
  const stops = [decisionsStore.subscribe(tellShell), api?.onClosing(decisions.flush)];
  window.addEventListener('pagehide', decisions.flush);
  return () => {
    window.removeEventListener('pagehide', decisions.flush);
    for (const stop of stops) {
      stop?.();
    }
  };
}
