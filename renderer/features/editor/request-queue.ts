/** Asks one question at a time, and drops questions that nobody waits for any more. */
export interface RequestQueue<Request, Answer> {
  /**
   * The answer, or undefined when the question was dropped before its turn: its signal was aborted,
   * or a newer question with the same key came. A question that is being answered is let finish.
   */
  ask(request: Request, options?: AskOptions): Promise<Answer | undefined>;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** A newer question with the same key takes the place of one that still waits. */
  readonly key?: string | undefined;
}

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly options: AskOptions;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** A queue before a worker, so that a fast typist leaves no work behind. */
export function createRequestQueue<Request, Answer>(
  send: (request: Request) => Promise<Answer>,
): RequestQueue<Request, Answer> {
  let waiting: Waiting<Request, Answer>[] = [];
  let busy = false;

  const next = async (): Promise<void> => {
    const job = busy ? undefined : waiting.shift();
    if (job === undefined) return;
    if (job.options.signal?.aborted === true) {
      job.resolve(undefined);
      await next();
      return;
    }
    busy = true;
    try {
      job.resolve(await send(job.request));
    } catch (error) {
      job.reject(error);
    } finally {
      busy = false;
    }
    await next();
  };

  return {
    ask(request, options = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
      const { key } = options;
      if (key !== undefined) {
        const older = waiting.filter((job) => job.options.key === key);
        waiting = waiting.filter((job) => job.options.key !== key);
        for (const job of older) job.resolve(undefined);
      }
      waiting.push({ request, options, resolve, reject });
      void next();
      return promise;
    },
  };
}
