import { isObject, type Json } from '../kernel/json.ts';
import { type Message, message } from './message.ts';
import { valueText } from './value-text.ts';

function isSystem(item: Message): boolean {
  return item.role === 'system';
}

/** The last n messages; system messages are kept and counted in n (spec-v1 11.5). */
export function slidingWindow(
  messages: readonly Message[],
  limit: number,
  keepSystem: boolean,
): readonly Message[] {
  if (!keepSystem) return limit <= 0 ? [] : messages.slice(-limit);
  let skipped = messages.length - Math.max(limit, messages.filter(isSystem).length);
  return messages.filter((item) => {
    if (isSystem(item) || skipped <= 0) return true;
    skipped -= 1;
    return false;
  });
}

function lastUserIndex(messages: readonly Message[]): number {
  return messages.findLastIndex((item) => item.role === 'user');
}

/** What a summarizer is given: lines `role: content` of all before the last user message. Empty = nothing to summarize. */
export function summaryInput(messages: readonly Message[]): string {
  return messages
    .slice(0, Math.max(0, lastUserIndex(messages)))
    .filter((item) => !isSystem(item))
    .map((item) => `${item.role}: ${item.content}`)
    .join('\n');
}

/** Everything before the last user message, except system messages, replaced by its summary. */
export function withSummary(messages: readonly Message[], summary: string): readonly Message[] {
  const at = Math.max(0, lastUserIndex(messages));
  return [
    ...messages.slice(0, at).filter(isSystem),
    message('system', `Conversation summary:\n${summary}`),
    ...messages.slice(at),
  ];
}

function retrievedText(value: Json): string {
  if (Array.isArray(value)) return value.map(retrievedText).join('\n');
  if (isObject(value) && typeof value['content'] === 'string') return value['content'];
  return valueText(value);
}

/** Puts what a retriever found in front; an empty find changes nothing. */
export function withRetrieved(messages: readonly Message[], found: Json): readonly Message[] {
  const text = retrievedText(found);
  if (text === '') return messages;
  return [message('system', `Relevant retrieved memory:\n${text}`), ...messages];
}
