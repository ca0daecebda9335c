import { analyseText, locatePath } from './spec-analysis.ts';
import {
  completeText,
  definitionOf,
  formatWhole,
  hoverText,
  outlineOfText,
  referencesOf,
  renameEdits,
  renameTargetOf,
} from './spec-language.ts';
import type { SpecReply, SpecRequest, SpecRequestName, SpecRequests } from './spec-protocol.ts';

type Handlers = {
  readonly [Name in SpecRequestName]: (
    input: SpecRequests[Name]['input'],
  ) => SpecRequests[Name]['output'];
};

const HANDLERS: Handlers = {
  analyse: (input) => analyseText(input, () => performance.now()),
  locate: locatePath,
  complete: completeText,
  hover: hoverText,
  definition: definitionOf,
  references: referencesOf,
  rename_target: renameTargetOf,
  rename: renameEdits,
  outline: outlineOfText,
  format: formatWhole,
};

function answer<Name extends SpecRequestName>(
  name: Name,
  input: SpecRequests[Name]['input'],
): SpecRequests[Name]['output'] {
  return HANDLERS[name](input);
}

self.addEventListener('message', (event: MessageEvent<SpecRequest>) => {
  const { id, name, input } = event.data;
  let reply: SpecReply;
  try {
    reply = { id, output: answer(name, input) };
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
});
