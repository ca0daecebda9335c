import type { WorkerReply } from './worker-calls.ts';

/** What a worker is asked by name, and what it answers. */
export type WorkerRequests = Readonly<
  Record<string, { readonly input: unknown; readonly output: unknown }>
>;

/** A question to the worker, without the id that `createWorkerCalls` gives it. */
export type WorkerQuestion<Requests> = {
  [Name in keyof Requests]: {
    readonly name: Name;
    readonly input: Requests[Name] extends { readonly input: infer Input } ? Input : never;
  };
}[keyof Requests];

/** A function for each question. */
export type WorkerHandlers<Requests extends WorkerRequests> = {
  readonly [Name in keyof Requests]: (input: Requests[Name]['input']) => Requests[Name]['output'];
};

/** Answers questions in a worker, each with its id; a failure is told, not thrown. */
export function answerCalls<Requests extends WorkerRequests>(
  handlers: WorkerHandlers<Requests>,
): void {
  interface Message {
    readonly id: number;
    readonly name: keyof Requests;
    readonly input: Requests[keyof Requests]['input'];
  }
  self.addEventListener('message', (event: MessageEvent<Message>) => {
    const { id, name, input } = event.data;
    let reply: WorkerReply;
    try {
      reply = { id, output: handlers[name](input) };
    } catch (error) {
      reply = { id, failure: error instanceof Error ? error.message : String(error) };
    }
    self.postMessage(reply);
  });
}
