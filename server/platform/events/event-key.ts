import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { makeWholeFileSync } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { seal, unseal } from '../../runtime/secret-sealing.ts';

const KEY_BYTES = 32;

/** Seals the secrets of receivers, so that a copy of the store gives none of them away. */
export interface EventKey {
  seal(webhookId: string, secret: string): string;
  /** Undefined under another key. */
  open(webhookId: string, sealed: string): string | undefined;
}

/** The key of a file that only this user may read; it is made when it is first needed. */
function keyOfFile(file: string): Buffer {
  try {
    makeWholeFileSync(file, randomBytes(KEY_BYTES).toString('base64url'), 0o600);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
}

/** The key that a setting gives, else that of the file beside the store. */
export function createEventKey(given: string | undefined, databaseFile: string): EventKey {
  let known: Buffer | undefined;
  const key = (): Buffer => {
    if (given !== undefined) known ??= createHash('sha256').update(given).digest();
    else if (databaseFile === ':memory:') known ??= randomBytes(KEY_BYTES);
    else known ??= keyOfFile(`${databaseFile}.events-key`);
    return known;
  };
  const name = (webhookId: string): string => `specwright webhook ${webhookId}`;
  return {
    seal: (webhookId, secret) => seal(key(), name(webhookId), secret),
    open: (webhookId, sealed) => unseal(key(), name(webhookId), sealed),
  };
}
