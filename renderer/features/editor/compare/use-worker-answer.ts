import { useEffect, useState } from 'react';

/** What a worker answered; while it is asked anew, what it answered before. */
export interface WorkerAnswer<Output> {
  readonly output: Output | undefined;
  readonly error: unknown;
  /** The answer is one to an earlier question. */
  readonly stale: boolean;
}

/** Asks a worker when the key of the question changes; `undefined` from it is no answer. */
export function useWorkerAnswer<Output>(
  key: string,
  ask: () => Promise<Output | undefined>,
): WorkerAnswer<Output> {
  const [answer, setAnswer] = useState<{ key: string; output?: Output; error?: unknown }>({
    key: '',
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal keys ask the same
  useEffect(() => {
    let current = true;
    ask().then(
      (output) => {
        if (current && output !== undefined) setAnswer({ key, output });
      },
      (error: unknown) => {
        if (current) setAnswer({ key, error });
      },
    );
    return () => {
      current = false;
    };
  }, [key]);
  return { output: answer.output, error: answer.error, stale: answer.key !== key };
}
