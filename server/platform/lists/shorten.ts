import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import type { CheckpointLimits } from '../config.ts';

type ShortenLimits = Pick<CheckpointLimits, 'previewChars' | 'maxListItems' | 'maxDictItems'>;

function cut(text: string, limits: ShortenLimits): string {
  if (text.length <= limits.previewChars) return text;
  const rest = text.length - limits.previewChars;
  return `${text.slice(0, limits.previewChars)}...[truncated ${rest} chars]`;
}

/** Strings, lists and objects cut to the configured sizes. */
export function shorten(value: Json, limits: ShortenLimits): Json {
  if (typeof value === 'string') return cut(value, limits);
  if (Array.isArray(value)) {
    const kept = value.slice(0, limits.maxListItems).map((item) => shorten(item, limits));
    const more = value.length - kept.length;
    return more > 0 ? [...kept, { _truncated_items: more }] : kept;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const short: JsonObject = {};
  for (const [key, item] of entries.slice(0, limits.maxDictItems)) {
    setOwn(short, key, shorten(item, limits));
  }
  if (entries.length > limits.maxDictItems) {
    short['_truncated_keys'] = entries.length - limits.maxDictItems;
  }
  return short;
}

/** The sizes of contract/platform.md 3.6 for what lists show of very long runs. */
const LIST_LIMITS = { previewChars: 1200, maxListItems: 20, maxDictItems: 50 };
/** How many items of a list they show. */
export const MAX_LIST_ITEMS = LIST_LIMITS.maxListItems;

/** The members of an object, each shortened as a limited checkpoint's are. */
export function shortenMembers(value: JsonObject): JsonObject {
  const short = shorten(value, LIST_LIMITS);
  return isObject(short) ? short : {};
}
