import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { CheckpointLimits } from '../config.ts';
import { shorten } from '../lists/shorten.ts';

export interface LimitedPart {
  state: JsonObject;
  trace_events: JsonObject[];
  metadata: JsonObject;
}

function asObject(value: Json): JsonObject {
  return isObject(value) ? value : {};
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
