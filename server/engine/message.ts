import type { JsonObject } from '../kernel/json.ts';
import { type AppendList, append, findLastItem, replaceLast } from './append-list.ts';

/** Whose message it is. */
export type Role = 'user' | 'assistant' | 'system' | 'tool';

/** A call that a model asks for. Kept on the assistant message as `metadata.tool_calls`. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** What the provider wants to see again with this call, such as a signature of its thoughts. */
  readonly provider_metadata?: JsonObject;
}

/** One message of a thread, in its wire form (platform.md 3.3). */
export interface Message {
  readonly role: Role;
  readonly content: string;
  readonly name: string | null;
  readonly tool_call_id: string | null;
  readonly metadata: JsonObject;
}

/** A message without metadata. */
export function message(role: Role, content: string, name: string | null = null): Message {
  return { role, content, name, tool_call_id: null, metadata: {} };
}

/** Text of the latest user or assistant message: what the next step gets as input (spec-v1 12). */
export function latestText(thread: AppendList<Message>): string {
  return findLastItem(thread, isSpoken)?.content ?? '';
}

function isSpoken(item: Message): boolean {
  return item.role === 'user' || item.role === 'assistant';
}

/** The thread with another latest user or assistant message: what the next step gets. */
export function withLatestText(thread: AppendList<Message>, text: string): AppendList<Message> {
  if (findLastItem(thread, isSpoken) === undefined) return append(thread, message('user', text));
  return replaceLast(thread, isSpoken, (item) => ({ ...item, content: text }));
}

function isAssistant(item: Message): boolean {
  return item.role === 'assistant';
}

/** The thread with the content of its last assistant message replaced. */
export function withLastAnswer(thread: AppendList<Message>, text: string): AppendList<Message> {
  return replaceLast(thread, isAssistant, (item) => ({ ...item, content: text }));
}

/** Text of the last assistant message, or null: the output of a run (spec-v1 12). */
export function lastAssistantText(thread: readonly Message[]): string | null {
  return thread.findLast(isAssistant)?.content ?? null;
}

/** The same of plain messages. */
export function withLastAssistantText(thread: readonly Message[], text: string): Message[] {
  const index = thread.findLastIndex(isAssistant);
  return thread.map((item, at) => (at === index ? { ...item, content: text } : item));
}
