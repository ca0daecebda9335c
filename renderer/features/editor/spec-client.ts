import type { SpecReply, SpecRequestName, SpecRequests } from './spec-protocol.ts';
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

/** Asks the pure compiler in its worker; it is started on first use and after a crash. */
export function askSpecWorker<Name extends SpecRequestName>(
  name: Name,
  input: SpecRequests[Name]['input'],
): Promise<SpecRequests[Name]['output']> {
  worker ??= start();
  const target = worker;
  lastId += 1;
  const id = lastId;
  return new Promise<SpecRequests[Name]['output']>((resolve, reject) => {
    pending.set(id, {
      resolve: (output) => resolve(output as SpecRequests[Name]['output']),
      reject,
    });
    target.postMessage({ id, name, input });
  });
}
