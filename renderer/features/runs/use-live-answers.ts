import { useEffect, useState } from 'react';
import { type LiveAnswer, runStream } from '../../../server/contract/platform/run-stream.ts';
import { ApiError } from '../../data/api-error.ts';
import { openStream } from '../../data/event-stream.ts';

/** Between the break of a stream and the next one. */
const AGAIN_MS = 3_000;

type Answers = ReadonlyMap<string, LiveAnswer>;

/** The answers after one more frame: a complete one makes room for what is stored. */
function withAnswer(answers: Answers, answer: LiveAnswer): Answers {
  const next = new Map(answers);
  if (answer.done) {
    next.delete(answer.call_id);
  } else {
    next.set(answer.call_id, answer);
  }
  return next;
}

/** Reads one stream to its end; true when the run is over. */
async function listen(
  runId: string,
  signal: AbortSignal,
  hear: (answer: LiveAnswer) => void,
): Promise<boolean> {
  const asked = { params: { run_id: runId }, query: { trace: false } };
  for await (const frame of openStream(runStream, asked, { signal })) {
    if (frame.event === 'answer') {
      hear(frame.data);
    }
    if (frame.event === 'end') {
      return true;
    }
  }
  return false;
}

/**
 * What the models of a run say at this moment, while the platform tells it: a platform that does not
 * answer here, an older one and one of another environment tell nothing, and the page is as without.
 */
export function useLiveAnswers(runId: string, isLive: boolean): readonly LiveAnswer[] {
  const [answers, setAnswers] = useState<Answers>(new Map());
  useEffect(() => {
    if (!isLive) {
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async (): Promise<void> => {
      let isOver = false;
      try {
        isOver = await listen(runId, signal, (answer) =>
          setAnswers((before) => withAnswer(before, answer)),
        );
      } catch (error) {
        // Refused: this platform tells nothing to this window. A broken connection is tried again.
        isOver = error instanceof ApiError && error.status !== 429;
      }
      if (signal.aborted) {
        return;
      }
      setAnswers(new Map());
      timer = isOver ? undefined : setTimeout(() => void follow(), AGAIN_MS);
    };
    void follow();
    return () => {
      controller.abort();
      clearTimeout(timer);
      setAnswers(new Map());
    };
  }, [runId, isLive]);
  return [...answers.values()];
}
