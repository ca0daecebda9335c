/** What a worker answers to the question of the same id. */
export type WorkerReply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly failure: string };

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A worker that nobody asked for so long ends; the next question starts it anew. */
export const WORKER_REST_MS = 60_000;

/**
 * Questions to a worker of one's own, which keeps nothing that a question relies on: it is started on
 * first use, after a rest and after a crash, which fails what it was asked. `what` names it in that
 * failure. A question is posted with an `id` of its own.
 */
export function createWorkerCalls(
  start: () => Worker,
  what: string,
  restMs = WORKER_REST_MS,
): (question: object) => Promise<unknown> {
  let worker: Worker | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  const end = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  const settle = (reply: WorkerReply): void => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) rest = setTimeout(end, restMs);
    if ('failure' in reply) call?.reject(new Error(reply.failure));
    else call?.resolve(reply.output);
  };
  const open = (): Worker => {
    const created = start();
    created.addEventListener('message', (event: MessageEvent<WorkerReply>) => settle(event.data));
    created.addEventListener('error', (event) => {
      worker = undefined;
      clearTimeout(rest);
      const failed = [...waiting.values()];
      waiting.clear();
      for (const call of failed) call.reject(new Error(`${what} stopped: ${event.message}`));
    });
    return created;
  };

  return (question) => {
    clearTimeout(rest);
    worker ??= open();
    const target = worker;
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      target.postMessage({ id, ...question });
    });
  };
}
