/** What a worker answers to the question of the same id. */
export type WorkerReply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly failure: string };

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Questions to a worker of one's own: it is started on first use and after a crash, which fails what
 * it was asked. `what` names it in that failure. A question is posted with an `id` of its own.
 */
export function createWorkerCalls(
  start: () => Worker,
  what: string,
): (question: object) => Promise<unknown> {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  const settle = (reply: WorkerReply): void => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('failure' in reply) call?.reject(new Error(reply.failure));
    else call?.resolve(reply.output);
  };
  const open = (): Worker => {
    const created = start();
    created.addEventListener('message', (event: MessageEvent<WorkerReply>) => settle(event.data));
    created.addEventListener('error', (event) => {
      worker = undefined;
      const failed = [...waiting.values()];
      waiting.clear();
      for (const call of failed) call.reject(new Error(`${what} stopped: ${event.message}`));
    });
    return created;
  };

  return (question) => {
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
