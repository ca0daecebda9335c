import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import type { CheckpointLimits } from '../config.ts';

type ShortenLimits = Pick<CheckpointLimits, 'previewChars' | 'maxListItems' | 'maxDictItems'>;

function cut(text: string, limits: ShortenLimits): string {
  if (text.length <= limits.previewChars) return text;
  const rest = text.length - limits.previewChars;
  return `${text.slice(0, limits.previewChars)}...[truncated ${rest} chars]`;
}

/** Strings, lists and objects cut to the configured sizes. */
function shorten(value: Json, limits: ShortenLimits): Json {
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
  return asObject(shorten(value, LIST_LIMITS));
}

export interface LimitedPart {
  state: JsonObject;
  trace_events: JsonObject[];
  metadata: JsonObject;
}

function asObject(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

export function isLimited(bytes: number, { maxBytes }: CheckpointLimits): boolean {
  return maxBytes > 0 && bytes > maxBytes;
}

/**
 * A checkpoint of so many bytes, above the storage limit, keeps its status and shortened parts
 * (contract/platform.md 3.6).
 */
export function limitCheckpoint(
  part: LimitedPart,
  bytes: number,
  limits: CheckpointLimits,
): LimitedPart {
  const events = shorten(part.trace_events, limits);
  return {
    state: { _limited: true, status: part.state['status'] ?? null },
    trace_events: Array.isArray(events) ? events.map(asObject) : [],
    metadata: {
      ...asObject(shorten(part.metadata, limits)),
      _checkpoint_storage: {
        payload_limited: true,
        original_bytes: bytes,
        max_bytes: limits.maxBytes,
      },
    },
  };
}
