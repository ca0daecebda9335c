import { readSettings } from '../../contract/settings.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { HostRefusal } from '../host-refusal.ts';
import { readNamedFile } from '../key-from-file.ts';
import { secretsFile } from '../model-keys.ts';
import { HOST_VARIABLES } from '../variables.ts';
import { createFilePassphrase } from './file-passphrase.ts';

type Env = Readonly<Record<string, string | undefined>>;

function passphraseIn(file: string): string {
  return readNamedFile(file, 'SPECWRIGHT_SECRETS_PASSPHRASE_FILE').replace(/\r?\n$/, '');
}

/**
 * Opens the file of secrets of a data folder with the passphrase in the file that
 * SPECWRIGHT_SECRETS_PASSPHRASE_FILE names; true unless it stays locked.
 * @throws HostRefusal when that file cannot be read or holds another passphrase
 */
export async function openSecretsAtStart(dataFolder: string, env: Env): Promise<boolean> {
  const passphrase = createFilePassphrase(secretsFile(dataFolder));
  if (!passphrase.isLocked()) return true;
  const { SECRETS_PASSPHRASE_FILE: file } = readSettings(HOST_VARIABLES, env);
  if (file === undefined || file === '') return false;
  try {
    await passphrase.unlock(passphraseIn(file));
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new HostRefusal(
      'configuration',
      'SPECWRIGHT_SECRETS_PASSPHRASE_FILE holds another passphrase than that of the stored secrets.',
    );
  }
}
