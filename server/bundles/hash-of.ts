import { createHash } from 'node:crypto';

/** Lowercase hex SHA-256 of bytes that may be many. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
