import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const encoder = new TextEncoder();

function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === 'string' ? encoder.encode(input) : input;
}

/** Lowercase hex SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export function sha256Hex(input: string | Uint8Array): string {
  return bytesToHex(sha256(bytesOf(input)));
}

/** Lowercase hex HMAC-SHA-256 of a message under a key; texts count as their UTF-8 bytes. */
export function hmacSha256Hex(key: string | Uint8Array, message: string | Uint8Array): string {
  return bytesToHex(hmac(sha256, bytesOf(key), bytesOf(message)));
}
