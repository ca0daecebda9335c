import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { newKeyPair, readSigningKey, signerOf } from '../../bundles/keys.ts';
import { ownSigningKey } from '../../bundles/own-key.ts';
import { BundleRefusal } from '../../bundles/refusal.ts';
import type { Log } from '../../kernel/log.ts';
import { StartRefusal } from '../../kernel/start-refusal.ts';
import { systemCode } from '../../kernel/system-code.ts';
import { type CodeConfig, OWN_KEY } from '../code-settings.ts';

/** Why code of a signer may run here: somebody named the signer, or this node packed it itself. */
export type SignerTrust = 'named' | 'own' | 'none';

/** By which key this node signs functions of runs, and whose it runs. */
export interface CodeSigners {
  /** Made when it is first needed. */
  key(): KeyObject;
  trustIn(keyId: string): SignerTrust;
}

/** @throws StartRefusal for a file without a key */
function keyOfSetting(file: string): KeyObject {
  try {
    return readSigningKey(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof BundleRefusal ? error.message : systemCode(error);
    throw new StartRefusal(`SERV_CODE_KEY_FILE names no key that can be used: ${reason}`);
  }
}

/**
 * The key of the setting, else that of a file beside the store. Without settings a node runs what it
 * signed itself, of folders that are trusted here.
 * @throws StartRefusal
 */
export function createCodeSigners(
  { keyFile, signers }: CodeConfig,
  databaseFile: string,
  log: Log,
): CodeSigners {
  let known = keyFile === undefined ? undefined : keyOfSetting(keyFile);
  const key = (): KeyObject => {
    if (known !== undefined) return known;
    known =
      databaseFile === ':memory:'
        ? createPrivateKey(newKeyPair().privateKey)
        : ownSigningKey(`${databaseFile}.code-key`);
    return known;
  };
  let ownId: string | undefined;
  const own = (): string => {
    if (ownId !== undefined) return ownId;
    ownId = signerOf(key()).keyId;
    log.info({ key_id: ownId }, 'this node signs the functions of runs');
    return ownId;
  };
  // A key that was handed to this node is named by whoever did so.
  const named = signers ?? (keyFile === undefined ? undefined : [OWN_KEY]);
  return {
    key() {
      own();
      return key();
    },
    trustIn(keyId) {
      if (named === undefined) return keyId === own() ? 'own' : 'none';
      const isNamed = named.includes(keyId) || (named.includes(OWN_KEY) && keyId === own());
      return isNamed ? 'named' : 'none';
    },
  };
}
