import type { Message, ToolCall } from '../../engine/message.ts';
import { isJsonObject, isObject, type JsonObject } from '../../kernel/json.ts';
import type { Prompt } from './language-model.ts';
import type { ToolNames } from './tool-names.ts';

type Part = Prompt[number];
type Assistant = Extract<Part, { role: 'assistant' }>;
type ToolPart = Extract<Part, { role: 'tool' }>;

/** Models answer a turn of somebody else: a thread that ends with a model's own turn gets this one. */
const NEXT_TURN = 'Continue.';

function callsOf(message: Message): ToolCall[] {
  const calls = message.metadata['tool_calls'];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call): ToolCall[] => {
    if (!isObject(call) || typeof call['id'] !== 'string' || typeof call['name'] !== 'string') {
      return [];
    }
    const args = call['arguments'];
    const kept = call['provider_metadata'];
    return [
      {
        id: call['id'],
        name: call['name'],
        arguments: isJsonObject(args) ? args : {},
        ...(isJsonObject(kept) ? { provider_metadata: kept } : {}),
      },
    ];
  });
}

/** The answers to a turn's calls among the tool messages that follow at once, by the id of the call. */
function resultsOf(turn: Message, thread: readonly Message[], index: number): Map<string, Message> {
  const ids = new Set(callsOf(turn).map((call) => call.id));
  const found = new Map<string, Message>();
  for (let at = index + 1; at < thread.length; at += 1) {
    const message = thread[at];
    if (message?.role !== 'tool') break;
    const id = message.tool_call_id;
    if (id !== null && ids.has(id)) found.set(id, message);
  }
  return found;
}

function asText(message: Message): Part {
  const title = `Tool ${message.name ?? ''} (${message.tool_call_id ?? ''})`;
  return { role: 'user', content: [{ type: 'text', text: `${title}: ${message.content}` }] };
}

type CallPart = Extract<Assistant['content'][number], { type: 'tool-call' }>;

function optionsOf(call: ToolCall): Pick<CallPart, 'providerOptions'> {
  const options: Record<string, JsonObject> = {};
  for (const [name, value] of Object.entries(call.provider_metadata ?? {})) {
    if (isJsonObject(value)) options[name] = value;
  }
  return Object.keys(options).length === 0 ? {} : { providerOptions: options };
}

function callPart(call: ToolCall, names: ToolNames): CallPart {
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: names.toWire(call.name),
    input: call.arguments,
    ...optionsOf(call),
  };
}

function resultPart(
  call: ToolCall,
  content: string,
  names: ToolNames,
): ToolPart['content'][number] {
  return {
    type: 'tool-result',
    toolCallId: call.id,
    toolName: names.toWire(call.name),
    output: { type: 'text', value: content },
  };
}

/** One assistant turn with the calls that were answered, and the answers. */
function assistantTurn(
  message: Message,
  results: ReadonlyMap<string, Message>,
  names: ToolNames,
): Part[] {
  const answered = callsOf(message).filter((call) => results.has(call.id));
  const text: Assistant['content'] =
    message.content === '' ? [] : [{ type: 'text', text: message.content }];
  const content = [...text, ...answered.map((call) => callPart(call, names))];
  if (content.length === 0) return [];
  const turn: Assistant = { role: 'assistant', content };
  if (answered.length === 0) return [turn];
  const answers = answered.map((call) =>
    resultPart(call, results.get(call.id)?.content ?? '', names),
  );
  return [turn, { role: 'tool', content: answers }];
}

function userTurn(message: Message): Part[] {
  if (message.content === '') return [];
  return [{ role: 'user', content: [{ type: 'text', text: message.content }] }];
}

function turns(thread: readonly Message[], names: ToolNames, withTools: boolean): Part[] {
  const parts: Part[] = [];
  const taken = new Set<Message>();
  for (const [index, message] of thread.entries()) {
    if (message.role === 'user') parts.push(...userTurn(message));
    if (message.role === 'tool' && !taken.has(message)) parts.push(asText(message));
    if (message.role !== 'assistant') continue;
    const results = withTools ? resultsOf(message, thread, index) : new Map<string, Message>();
    for (const result of results.values()) taken.add(result);
    parts.push(...assistantTurn(message, results, names));
  }
  return parts;
}

/**
 * The thread as a provider takes it: all system text first, tool results beside their calls. A result
 * whose call is gone (memory, another agent) or that nobody offers tools for is told as text, since
 * providers refuse it otherwise.
 */
export function toPrompt(
  system: string | null,
  thread: readonly Message[],
  names: ToolNames,
  withTools: boolean,
): Prompt {
  const systems = thread.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const instructions = [system ?? '', ...systems].filter((text) => text !== '').join('\n\n');
  const parts = turns(thread, names, withTools);
  const last = parts.at(-1)?.role;
  return [
    ...(instructions === '' ? [] : [{ role: 'system' as const, content: instructions }]),
    ...parts,
    ...(last === 'user' || last === 'tool'
      ? []
      : [{ role: 'user' as const, content: [{ type: 'text' as const, text: NEXT_TURN }] }]),
  ];
}
