import { type AppendList, findLastItem } from './append-list.ts';
import type { CallModel } from './effect.ts';
import type { ModelAnswer } from './event.ts';
import type { Message } from './message.ts';

/** The tool that the offline runtime asks for. */
export const OFFLINE_TOOL = 'web_search';

/** Of whole chunks, which never change: a long thread is not looked through at every call. */
const KNOWN_RESULTS = new WeakMap<readonly Message[], readonly Message[]>();

function resultsIn(chunk: readonly Message[]): readonly Message[] {
  const known = KNOWN_RESULTS.get(chunk);
  if (known !== undefined) return known;
  const found = chunk.filter((item) => item.role === 'tool');
  KNOWN_RESULTS.set(chunk, found);
  return found;
}

function toolResults({ full, tail }: AppendList<Message>): readonly Message[] {
  const results: Message[] = [];
  for (const chunk of full) results.push(...resultsIn(chunk));
  return results.concat(tail.filter((item) => item.role === 'tool'));
}

/**
 * The offline runtime (spec-v1 11.2): a fixed answer to the last user message. It reports no usage
 * and does not look at the system prompt.
 */
export function offlineAnswer(call: Pick<CallModel, 'messages' | 'tools'>): ModelAnswer {
  const text = findLastItem(call.messages, (item) => item.role === 'user')?.content ?? '';
  const results = toolResults(call.messages);
  if (call.tools.length > 0 && results.length === 0 && text.toLowerCase().includes('search')) {
    const request = { id: 'web_search_1', name: OFFLINE_TOOL, arguments: { query: text } };
    return { text: 'I need to search.', tool_calls: [request] };
  }
  if (results.length > 0) {
    const joined = results.map((item) => item.content).join('\n');
    return { text: `Final answer based on tool results: ${joined}`, tool_calls: [] };
  }
  return { text: `Final answer: ${text}`, tool_calls: [] };
}
