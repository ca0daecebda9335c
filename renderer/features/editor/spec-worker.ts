import { analyseText, locatePath } from './spec-analysis.ts';
import type { SpecReply, SpecRequest, SpecRequestName, SpecRequests } from './spec-protocol.ts';

function answer(request: SpecRequest): SpecRequests[SpecRequestName]['output'] {
  switch (request.name) {
    case 'analyse':
      return analyseText(request.input, () => performance.now());
    case 'locate':
      return locatePath(request.input);
  }
}

self.addEventListener('message', (event: MessageEvent<SpecRequest>) => {
  const { id } = event.data;
  let reply: SpecReply;
  try {
    reply = { id, output: answer(event.data) };
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
