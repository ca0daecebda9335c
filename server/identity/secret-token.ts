import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../kernel/sha256.ts';

/** A secret that nobody can guess: 32 random bytes as base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What a store keeps in place of a token. */
export function tokenHash(token: string): string {
  return sha256Hex(token);
}
