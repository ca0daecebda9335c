import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import type { Definition, NodePayload } from '../../graph-ir.ts';
import { at, hasText, textOf, type Value } from '../../value.ts';
import { BASE, LANGCHAIN, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import type { NodeReader } from '../scene.ts';
import { carried } from './steps.ts';
import { spanOf } from './waits.ts';

function literal(value: Value | undefined): string | undefined {
  if (!hasText(value)) return undefined;
  const reading = readText(value);
  return reading.computed ? undefined : reading.text;
}

function isForm(node: N8nNode): boolean {
  return node.type === `${BASE}form` || node.type === `${LANGCHAIN}chat`;
}

/** Where senders of messages say who gets the question. */
const RECIPIENTS: readonly (readonly string[])[] = [
  ...[['sendTo'], ['toEmail'], ['chatId'], ['phoneNumber']],
  ...[['user', 'value'], ['channelId', 'value'], ['channelId']],
];

/** What the reviewer should know: who was asked in the source, and what its buttons say. */
function contextOf({ parameters }: N8nNode, scrub: (text: string) => string): JsonObject {
  const buttons = (name: string): Value | undefined =>
    at(parameters, 'approvalOptions', 'values', name);
  const recipients = RECIPIENTS.map((path) => literal(at(parameters, ...path)));
  const facts = {
    recipient: recipients.find((found) => found !== undefined),
    approve: literal(buttons('approveLabel')),
    decline: literal(buttons('disapproveLabel')),
  };
  const out: JsonObject = {};
  for (const [name, text] of Object.entries(facts)) {
    if (text !== undefined) setOwn(out, name, scrub(text));
  }
  return out;
}

/** The seconds after which the source goes on without an answer. */
function limitOf({ parameters }: N8nNode): number | undefined {
  const limit = at(parameters, 'options', 'limitWaitTime', 'values');
  if (!(limit instanceof Map)) return undefined;
  if ((limit.get('limitType') ?? 'afterTimeInterval') !== 'afterTimeInterval') return undefined;
  const span = spanOf(limit.get('resumeAmount'), limit.get('resumeUnit'), [45, 'minutes']);
  return typeof span === 'number' ? span : undefined;
}

function humanDefinition(node: N8nNode): Definition {
  const response = textOf(node.parameters.get('responseType')) ?? 'approval';
  const asks =
    literal(node.parameters.get('message')) ?? literal(at(node.parameters, 'options', 'formTitle'));
  const request_type = response === 'approval' && !isForm(node) ? 'approval' : 'freeform';
  const limit = limitOf(node);
  return (_name, protector) => {
    const context = contextOf(node, (text) => protector.scrub(text));
    return {
      description: protector.scrub(asks ?? node.name),
      request_type,
      ...(limit !== undefined && { timeout_seconds: limit, on_timeout: 'continue' }),
      ...(Object.keys(context).length > 0 && { context }),
    };
  };
}

/** A question to a person: an approval, or an answer in words. */
export const HUMAN: NodeReader = {
  losses: (node) => {
    const detail = `"${node.name}" asks a person and waits (${node.type}); in the draft a human step does.`;
    return [carried(node, 'manual', detail, 'Say who is asked and how they are told.')];
  },
  payload: (node): NodePayload => ({
    kind: 'component',
    step: 'human',
    definition: humanDefinition(node),
  }),
  closedOutputs: true,
};
