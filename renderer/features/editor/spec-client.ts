import { type AskOptions, createRequestQueue } from './request-queue.ts';
import type { SpecReply, SpecRequest, SpecRequestName, SpecRequests } from './spec-protocol.ts';
import SpecWorker from './spec-worker.ts?worker';

interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | undefined;
let lastId = 0;
const pending = new Map<number, Pending>();

function start(): Worker {
  const created = new SpecWorker();
  created.addEventListener('message', (event: MessageEvent<SpecReply>) => {
    const reply = event.data;
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('failure' in reply) {
      waiting?.reject(new Error(reply.failure));
    } else {
      waiting?.resolve(reply.output);
    }
  });
  created.addEventListener('error', (event) => {
    worker = undefined;
    const failed = [...pending.values()];
    pending.clear();
    for (const waiting of failed) {
      waiting.reject(new Error(`The spec compiler stopped: ${event.message}`));
    }
  });
  return created;
}

type Question = Omit<SpecRequest, 'id'>;

const queue = createRequestQueue((question: Question): Promise<unknown> => {
  worker ??= start();
  const target = worker;
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    target.postMessage({ id, ...question });
  });
});

/**
 * Asks the pure compiler in its worker; it is started on first use and after a crash. Undefined when
 * the question was dropped before its turn (see {@link AskOptions}).
 */
export function askSpecWorker<Name extends SpecRequestName>(
  name: Name,
  input: SpecRequests[Name]['input'],
  options: AskOptions = {},
): Promise<SpecRequests[Name]['output'] | undefined> {
  return queue.ask({ name, input } as Question, options) as Promise<
    SpecRequests[Name]['output'] | undefined
  >;
}
