import type {
  DraftReply,
  DraftRequest,
  DraftRequestName,
  DraftRequests,
} from './draft-protocol.ts';
import { readDraftText } from './draft-reading.ts';
import { applyFix, fixOffers } from './fixes.ts';

type Handlers = {
  readonly [Name in DraftRequestName]: (
    input: DraftRequests[Name]['input'],
  ) => DraftRequests[Name]['output'];
};

const HANDLERS: Handlers = {
  read: (input) => readDraftText(input, input.sources),
  offers: (input) => fixOffers(input, input.targets),
  fix: (input) => applyFix(input, input),
};

function answer<Name extends DraftRequestName>(
  name: Name,
  input: DraftRequests[Name]['input'],
): DraftRequests[Name]['output'] {
  return HANDLERS[name](input);
}

self.addEventListener('message', (event: MessageEvent<DraftRequest>) => {
  const { id, name, input } = event.data;
  let reply: DraftReply;
  try {
    reply = { id, output: answer(name, input) };
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
