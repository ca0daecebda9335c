import type { CallModel } from './effect.ts';
import type { ModelAnswer } from './event.ts';
import type { Message } from './message.ts';

/** Looked for in a loop: every offline call of a long run comes through here with all that was said. */
function resultsOf(messages: readonly Message[]): Message[] {
  const results: Message[] = [];
  for (const item of messages) if (item.role === 'tool') results.push(item);
  return results;
}

/**
 * The offline runtime (spec-v1 11.2): a fixed answer to the last user message. It reports no usage
 * and does not look at the system prompt.
 */
export function offlineAnswer(call: Pick<CallModel, 'messages' | 'tools'>): ModelAnswer {
  const text = call.messages.findLast((item) => item.role === 'user')?.content ?? '';
  const results = resultsOf(call.messages);
  if (call.tools.length > 0 && results.length === 0 && text.toLowerCase().includes('search')) {
    const request = { id: 'web_search_1', name: 'web_search', arguments: { query: text } };
    return { text: 'I need to search.', tool_calls: [request] };
  }
  if (results.length > 0) {
    const joined = results.map((item) => item.content).join('\n');
    return { text: `Final answer based on tool results: ${joined}`, tool_calls: [] };
  }
  return { text: `Final answer: ${text}`, tool_calls: [] };
}
