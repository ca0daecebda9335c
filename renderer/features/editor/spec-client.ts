import { t } from '../../../preload/texts/t.ts';
import type { WorkerQuestion } from '../../data/worker-answers.ts';
import { createWorkerCalls } from '../../data/worker-calls.ts';
import { type AskOptions, createRequestQueue } from './request-queue.ts';
import type { SpecRequestName, SpecRequests } from './spec-protocol.ts';
import SpecWorker from './spec-worker.ts?worker';

type Question = WorkerQuestion<SpecRequests>;

const send = createWorkerCalls(() => new SpecWorker(), t('The spec compiler'));
const queue = createRequestQueue((question: Question): Promise<unknown> => send(question));

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
