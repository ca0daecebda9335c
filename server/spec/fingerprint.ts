import { canonicalJson } from '../kernel/canonical-json.ts';
import type { JsonObject } from '../kernel/json.ts';
import { sha256Hex } from '../kernel/sha256.ts';

/** Hash of a document in canonical form (spec-v1 21): equal data, equal fingerprint. */
export function specFingerprint(document: JsonObject): string {
  return sha256Hex(canonicalJson(document));
}
