import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { isPooled, pooled, unpooled } from '../stored-forms/text-pool.ts';
import { MAX_LIST_CHARS } from './created-metadata.ts';

function charsOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + charsOf(item), 0);
}

/** True for messages with more text than lists show. */
export function areLong(messages: readonly JsonObject[]): boolean {
  return charsOf([...messages]) > MAX_LIST_CHARS;
}

/** Messages as they are stored: of long ones a text that goes on from an earlier one names it. */
export function storedMessages(messages: readonly JsonObject[]): string {
  return JSON.stringify(areLong(messages) ? pooled([...messages]) : messages);
}

/** The messages that {@link storedMessages} stored. */
export function readMessages(stored: string): JsonObject[] {
  const value: unknown = JSON.parse(stored);
  const whole: unknown = isPooled(value) ? unpooled(value) : value;
  return Array.isArray(whole) ? whole.filter(isJsonObject) : [];
}
