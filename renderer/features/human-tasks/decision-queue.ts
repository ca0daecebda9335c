import type { resumeHumanTask } from '../../../server/contract/dashboard/human-tasks.ts';
import type { ClientInput } from '../../../server/contract/route.ts';

export type AnswerBody = NonNullable<ClientInput<typeof resumeHumanTask>['body']>;

/** A decision that somebody took with a key: what is sent, and when at the latest. */
export interface TakenDecision {
  readonly taskId: string;
  /** The decision and the task in words: “Approve”, “invoice-approval”. */
  readonly title: string;
  readonly subject: string;
  readonly body: AnswerBody;
  /** One key for every attempt, so that the service answers a repeat with the first outcome. */
  readonly key: string;
  /** The connection that the task was shown by; null = this computer. */
  readonly connection: string | null;
  /** Epoch milliseconds. */
  readonly sendAt: number;
}

interface LeavingDecision extends TakenDecision {
  /** Why the last attempt failed, in words; null while none has. */
  readonly problem: string | null;
}

export interface QueueState {
  /** The one that can still be taken back. */
  readonly held: TakenDecision | null;
  /** Those on their way, with those that wait for the next attempt. */
  readonly leaving: readonly LeavingDecision[];
  /** Tasks whose decision was accepted in this window. */
  readonly accepted: ReadonlySet<string>;
}

export interface QueueDeps {
  now(): number;
  newKey(): string;
  /** Runs something later; answers the way to take it back. */
  after(ms: number, run: () => void): () => void;
  send(decision: TakenDecision): Promise<unknown>;
  /** In words, why another attempt may help; undefined for a refusal. */
  mayHelp(error: unknown): string | undefined;
  /** Decisions outlive the page: the next page sends those that were kept. */
  keep(decision: TakenDecision): void;
  forget(key: string): void;
  isKept(key: string): boolean;
  onChange(state: QueueState): void;
  onAccepted(decision: TakenDecision): void;
  onRefused(decision: TakenDecision, error: unknown): void;
}

/** How long a decision can be taken back. */
export const HOLD_MS = 5_000;
/** What an earlier page left is sent once that page can no longer send it. */
const GRACE_MS = 3_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export interface DecisionQueue {
  /** Takes a decision that is sent after a moment; one on another task is sent at once. */
  hold(decision: Omit<TakenDecision, 'key' | 'sendAt'>): void;
  /** Takes the held decision back: nothing is sent. */
  undo(): void;
  /** Sends the held decision now. */
  flush(): void;
  /** Tries again at once what could not be sent. */
  retry(): void;
  /** Gives a decision up that could not be sent. */
  discard(key: string): void;
  /** Takes over what an earlier page kept. */
  restore(decisions: readonly TakenDecision[]): void;
}

/** Holds one decision for a moment and sends every one that was not taken back, whatever happens. */
export function createDecisionQueue(deps: QueueDeps): DecisionQueue {
  let state: QueueState = { held: null, leaving: [], accepted: new Set() };
  let stopTimer: () => void = () => undefined;
  const waiting = new Map<string, { readonly stop: () => void; readonly again: () => void }>();

  const change = (part: Partial<QueueState>): void => {
    state = { ...state, ...part };
    deps.onChange(state);
  };
  const leave = (key: string): readonly LeavingDecision[] =>
    state.leaving.filter((item) => item.key !== key);

  const attempt = async (decision: TakenDecision, delay: number): Promise<void> => {
    try {
      await deps.send(decision);
    } catch (error) {
      failed(decision, error, delay);
      return;
    }
    deps.forget(decision.key);
    const accepted = new Set(state.accepted).add(decision.taskId);
    change({ leaving: leave(decision.key), accepted });
    deps.onAccepted(decision);
  };

  const failed = (decision: TakenDecision, error: unknown, delay: number): void => {
    const problem = deps.mayHelp(error);
    if (problem === undefined) {
      deps.forget(decision.key);
      change({ leaving: leave(decision.key) });
      deps.onRefused(decision, error);
      return;
    }
    if (state.leaving.every(({ key }) => key !== decision.key)) {
      return;
    }
    change({
      leaving: state.leaving.map((item) =>
        item.key === decision.key ? { ...item, problem } : item,
      ),
    });
    const again = (): void => {
      waiting.delete(decision.key);
      void attempt(decision, Math.min(LAST_RETRY_MS, delay * 2));
    };
    waiting.set(decision.key, { again, stop: deps.after(delay, again) });
  };

  const depart = (taken: TakenDecision): void => {
    const decision = { ...taken, sendAt: deps.now() };
    deps.keep(decision);
    const held = state.held?.key === decision.key ? null : state.held;
    // One change, not two: between two changes it would look as if nothing were left to send.
    change({ held, leaving: [...leave(decision.key), { ...decision, problem: null }] });
    void attempt(decision, FIRST_RETRY_MS);
  };

  const flush = (): void => {
    const { held } = state;
    if (held !== null) {
      stopTimer();
      depart(held);
    }
  };

  const undo = (): void => {
    const { held } = state;
    if (held !== null) {
      stopTimer();
      deps.forget(held.key);
      change({ held: null });
    }
  };

  return {
    undo,
    flush,
    hold(decision) {
      const decided = state.leaving.some(({ taskId }) => taskId === decision.taskId);
      if (decided || state.accepted.has(decision.taskId)) {
        return;
      }
      if (state.held?.taskId === decision.taskId) {
        undo();
      } else {
        flush();
      }
      const held = { ...decision, key: deps.newKey(), sendAt: deps.now() + HOLD_MS };
      deps.keep(held);
      stopTimer = deps.after(HOLD_MS, flush);
      change({ held });
    },
    retry() {
      for (const { stop, again } of [...waiting.values()]) {
        stop();
        again();
      }
    },
    discard(key) {
      waiting.get(key)?.stop();
      waiting.delete(key);
      deps.forget(key);
      change({ leaving: leave(key) });
    },
    restore(decisions) {
      for (const decision of decisions) {
        const wait = Math.max(0, decision.sendAt + GRACE_MS - deps.now());
        deps.after(wait, () => {
          if (deps.isKept(decision.key)) {
            depart(decision);
          }
        });
      }
    },
  };
}
