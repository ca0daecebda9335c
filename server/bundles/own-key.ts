import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { makeWholeFileSync } from '../files/durable-write.ts';
import { systemCode } from '../kernel/system-code.ts';
import { newKeyPair, readSigningKey } from './keys.ts';

/** The key with which an installation signs, in a file for its owner; made at first use, whole or not at all. */
export function ownSigningKey(file: string): KeyObject {
  try {
    return readSigningKey(readFileSync(file, 'utf8'));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  try {
    makeWholeFileSync(file, newKeyPair().privateKey, 0o600);
  } catch (error) {
    // Two first uses at once: the one that was quicker made it.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return readSigningKey(readFileSync(file, 'utf8'));
}
