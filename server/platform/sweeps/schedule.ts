/** A job that repeats until stopped; the next turn starts after the last one ended. */
export interface Schedule {
  /** Stops and waits for a turn in progress, which is told to come to its end. */
  stop(): Promise<void>;
}

/** Runs a job now and then every so many milliseconds; `everyMs` 0 = never. */
export function startSchedule(
  everyMs: number,
  job: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Schedule {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = everyMs <= 0;
  let turn: Promise<void> = Promise.resolve();
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    try {
      await job(stop.signal);
    } catch (error) {
      onError(error);
    }
    if (!stopped) timer = setTimeout(next, everyMs);
  };
  const next = (): void => {
    turn = run();
  };
  if (!stopped) next();
  return {
    async stop() {
      stopped = true;
      stop.abort();
      clearTimeout(timer);
      await turn;
    },
  };
}
