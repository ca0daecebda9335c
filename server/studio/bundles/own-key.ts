import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { newKeyPair, readSigningKey } from '../../bundles/keys.ts';
import { makeWholeFileSync } from '../../files/durable-write.ts';
import { systemCode } from '../../kernel/system-code.ts';

type SigningKey = ReturnType<typeof readSigningKey>;

/** The key with which this installation signs bundles, in a file for its owner; made at first use. */
export async function ownSigningKey(stateDir: string): Promise<SigningKey> {
  const file = path.join(stateDir, 'bundle-signing.key');
  try {
    return readSigningKey(await readFile(file, 'utf8'));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  try {
    makeWholeFileSync(file, newKeyPair().privateKey, 0o600);
  } catch (error) {
    // Two first uses at once: the one that was quicker made it.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return readSigningKey(await readFile(file, 'utf8'));
}
