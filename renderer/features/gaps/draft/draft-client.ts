import { t } from '../../../../preload/texts/t.ts';
import { createWorkerCalls } from '../../../data/worker-calls.ts';
import type { DraftRequestName, DraftRequests } from './draft-protocol.ts';
import DraftWorker from './draft-worker.ts?worker';

const send = createWorkerCalls(() => new DraftWorker(), t('The reader of drafts'));

/** Asks about a draft's text, off the window's own thread. */
export function askDraft<Name extends DraftRequestName>(
  name: Name,
  input: DraftRequests[Name]['input'],
): Promise<DraftRequests[Name]['output']> {
  return send({ name, input }) as Promise<DraftRequests[Name]['output']>;
}
