import type { Loss, Output } from '../../graph-ir.ts';
import { at, hasText, textOf, type Value } from '../../value.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { describe, readText } from '../expressions.ts';
import { continuesOnFailure } from '../run-settings.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { carried } from './steps.ts';

/** A text of the source in quotes, computed or not. */
function quoted(value: Value | undefined): string {
  return `"${typeof value === 'string' ? readText(value).text : describe(value ?? '')}"`;
}

function responseOf({ parameters }: N8nNode): string {
  const body = parameters.get('responseBody');
  switch (parameters.get('respondWith') ?? 'firstIncomingItem') {
    case 'firstIncomingItem':
      return 'the first item that it gets';
    case 'allIncomingItems':
      return 'all items that it gets';
    case 'json':
      return body === undefined ? 'JSON' : `the JSON ${quoted(body)}`;
    case 'text':
      return body === undefined ? 'a text' : `the text ${quoted(body)}`;
    case 'noData':
      return 'an empty answer';
    case 'redirect':
      return `a redirect to ${quoted(parameters.get('redirectURL'))}`;
    case 'binary':
      return 'a file';
    case 'jwt':
      return 'a signed token';
    default:
      return 'what the source computes';
  }
}

/** The answer of a webhook, which a run does not give. */
function respondLoss(node: N8nNode): Loss {
  const code = at(node.parameters, 'options', 'responseCode');
  const status = code === undefined ? '' : ` and the status ${describe(code)}`;
  const detail = `"${node.name}" answers the caller of the webhook with ${responseOf(node)}${status}; no step of the draft does, its run gives back the last result.`;
  return carried(node, 'manual', detail, 'Let what starts the run give this answer.');
}

function formEnd({ parameters }: N8nNode): string {
  switch (parameters.get('respondWith') ?? 'text') {
    case 'text': {
      const shown = [parameters.get('completionTitle'), parameters.get('completionMessage')];
      return `shows ${shown.filter(hasText).map(quoted).join(' and ') || 'its last page'}`;
    }
    case 'redirect':
      return `leads to ${quoted(parameters.get('redirectUrl'))}`;
    case 'showText':
      return `shows ${quoted(parameters.get('responseText'))}`;
    case 'returnBinary':
      return 'gives back a file';
    default:
      return 'shows what the source computes';
  }
}

function formLoss(node: N8nNode): Loss {
  const detail = `"${node.name}" ends the form and ${formEnd(node)}; no step of the draft does, its run gives back the last result.`;
  return carried(node, 'manual', detail, 'Show it where the result of the run is shown.');
}

function chatLoss(node: N8nNode): Loss {
  const detail = `"${node.name}" sends ${quoted(node.parameters.get('message'))} to the chat and goes on; no step of the draft sends it.`;
  const todo = 'Put a function step in its place if the text must be sent before the run ends.';
  return carried(node, 'manual', detail, todo);
}

function executionDataLoss(node: N8nNode): Loss {
  const detail = `"${node.name}" notes values with the run, to find it by; no step of the draft does.`;
  return carried(node, 'info', detail, 'Nothing to do unless runs are looked up by these values.');
}

function idleLoss(node: N8nNode): Loss {
  const detail = `"${node.name}" changes nothing on the way; the flow passes it.`;
  return carried(node, 'info', detail, 'Nothing to do.');
}

const SAID: ReadonlyMap<string, (node: N8nNode) => Loss> = new Map([
  [`${BASE}respondToWebhook`, respondLoss],
  [`${BASE}form`, formLoss],
  [`${LANGCHAIN}chat`, chatLoss],
  [`${BASE}executionData`, executionDataLoss],
]);

/** An element that nothing leads to: what it would do does not matter to any run. */
function looseLoss(node: N8nNode): Loss {
  const detail = `Nothing leads to "${node.name}" in the source, so it never ran; the draft leaves it out.`;
  return carried(node, 'info', detail, 'Nothing to do.');
}

function isLoose(node: N8nNode, scene: Scene): boolean {
  return (scene.mainTo.get(node.id) ?? []).length === 0;
}

/** An element that gives its input on; what else it does is told. */
export const PASS_THROUGH: NodeReader = {
  losses: (node, scene) => [
    (isLoose(node, scene) ? looseLoss : (SAID.get(node.type) ?? idleLoss))(node),
  ],
  payload: () => ({ kind: 'passthrough' }),
  outputs: (node) => {
    const outputs: Output[] = [{ position: 0, role: 'default' }];
    const answers = at(node.parameters, 'options', 'enableResponseOutput') === true;
    return answers ? [...outputs, { position: 1, role: 'default' }] : outputs;
  },
  closedOutputs: true,
};

function stopWords({ parameters }: N8nNode): string {
  const value = parameters.get('errorMessage') ?? parameters.get('errorObject');
  return textOf(value) === undefined ? 'an error' : `the error ${quoted(value)}`;
}

/** An element that ends its path with an error, unless it is told to go on after a failure. */
export const STOP: NodeReader = {
  losses: (node, scene) => {
    if (isLoose(node, scene)) return [looseLoss(node)];
    const said = `"${node.name}" stops the run with ${stopWords(node)} in the source`;
    if (continuesOnFailure(node)) {
      const detail = `${said}, but is set to go on after a failure; the flow passes it.`;
      return [carried(node, 'manual', detail, 'Nothing to do unless the failure must be noted.')];
    }
    const detail = `${said}; in the draft the path ends there.`;
    const todo = 'Add a step that reports the failure if somebody must know.';
    return [carried(node, 'manual', detail, todo)];
  },
  payload: () => ({ kind: 'passthrough' }),
  outputs: (node) => (continuesOnFailure(node) ? [{ position: 0, role: 'default' }] : []),
  closedOutputs: true,
};
