import type { LiveAnswer } from '../../contract/platform/run-stream.ts';
import { redactText } from '../redaction.ts';

// What is shown of a run while it goes on. The room promises: a reader gets every stored event once
// and in order, whatever it missed; what models say meanwhile comes redacted, at a bounded rate, and
// is stored nowhere; a reader that does not read holds nothing up.

/** Who reads what models say of a run at this moment. */
export interface LiveAnswers {
  tell(runId: string, answer: LiveAnswer): void;
  /**
   * Calls the listener with what others of the run have been told of answers that go on, and with what
   * is said from now on, until the returned function is called.
   */
  follow(runId: string, listener: (answer: LiveAnswer) => void): () => void;
}

interface Followed {
  readonly listeners: Set<(answer: LiveAnswer) => void>;
  /** The newest of each answer that goes on. */
  readonly known: Map<string, LiveAnswer>;
}

export function createLiveAnswers(): LiveAnswers {
  const followed = new Map<string, Followed>();
  return {
    tell(runId, answer) {
      const run = followed.get(runId);
      if (run === undefined) return;
      if (answer.done) run.known.delete(answer.call_id);
      else run.known.set(answer.call_id, answer);
      for (const listener of run.listeners) listener(answer);
    },
    follow(runId, listener) {
      const run = followed.get(runId) ?? { listeners: new Set(), known: new Map() };
      followed.set(runId, run);
      run.listeners.add(listener);
      for (const answer of run.known.values()) listener(answer);
      return () => {
        run.listeners.delete(listener);
        if (run.listeners.size === 0) followed.delete(runId);
      };
    },
  };
}

/** So often at most is told what one model says. */
const EVERY_MS = 200;
/** Characters of its end that are told of a long answer, at most. */
const MOST_CHARS = 20_000;
/** What is left out grows by so many: between, a text only grows at its end. */
const CUT_CHARS = 5_000;

/** The text up to its last whole word: half a secret is not known for one. */
function wholeWords(text: string): string {
  return text.slice(0, Math.max(0, text.search(/\s\S*$/)));
}

/** Where a call's text goes as it comes. */
interface LiveText {
  add(text: string): void;
  end(): void;
}

/** Tells what one call of a model says, while somebody reads. */
export function createLiveText(
  call: Pick<LiveAnswer, 'call_id' | 'agent_name' | 'step_id'>,
  isRead: () => boolean,
  tell: (answer: LiveAnswer) => void,
): LiveText {
  let whole = '';
  let wasTold = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    timer = undefined;
    if (!isRead()) return;
    wasTold = true;
    // Redacted from its beginning: where a secret begins decides what of it is known.
    const shown = redactText(wholeWords(whole));
    const begin = Math.ceil(Math.max(0, shown.length - MOST_CHARS) / CUT_CHARS) * CUT_CHARS;
    const text = shown.slice(begin);
    tell({ transient: true, ...call, text, cut: begin > 0, done: false });
  };
  return {
    add(text) {
      whole += text;
      timer ??= setTimeout(look, EVERY_MS);
    },
    end() {
      clearTimeout(timer);
      if (wasTold) tell({ transient: true, ...call, text: '', cut: false, done: true });
    },
  };
}
