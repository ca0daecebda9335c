import { text } from 'node:stream/consumers';
import { secretPassphrase } from '../../contract/gateway/secrets.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import { secretsFile } from '../../host/model-keys.ts';
import { createFilePassphrase } from '../../host/secrets/file-passphrase.ts';
import { readSecretFile } from '../../runtime/secret-file.ts';
import { CommandFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { askHidden, canAsk } from './ask-passphrase.ts';
import type { SecretOptions } from './secrets.ts';

/** What the command needs to know, asked one after the other, or one line each on standard input. */
async function answers(questions: readonly string[]): Promise<string[]> {
  if (!canAsk()) {
    const lines = (await text(process.stdin)).split(/\r?\n/);
    return questions.map((_, at) => lines[at] ?? '');
  }
  const given: string[] = [];
  for (const question of questions) given.push(await askHidden(question));
  return given;
}

/** `secrets passphrase`: on standard input the current one where there is one, then the new one twice. */
export async function passphrase(
  options: SecretOptions & { readonly remove?: boolean },
): Promise<number> {
  const folder = chooseDataFolder(options.data, process.env);
  prepareDataFolder(folder);
  const file = secretsFile(folder);
  const lock = createFilePassphrase(file);
  const current = readSecretFile(file).key.kind === 'passphrase' ? ['Passphrase of now: '] : [];
  if (options.remove === true) {
    if (current.length === 0) throw new CommandFailure('The encrypted file has no passphrase.');
    const [old = ''] = await answers(current);
    await lock.remove(old);
  } else {
    const given = await answers([...current, 'New passphrase: ', 'The same again: ']);
    const [fresh = '', again = ''] = given.slice(current.length);
    if (!secretPassphrase.safeParse(fresh).success) {
      throw new CommandFailure('A passphrase has 10 to 1,024 characters. Nothing was changed.');
    }
    if (fresh !== again) throw new CommandFailure('The two are not the same. Nothing was changed.');
    await lock.set(fresh, current.length === 0 ? undefined : given[0]);
  }
  const has_passphrase = options.remove !== true;
  if (options.json) printJson({ has_passphrase });
  else if (has_passphrase) printLine('✓ the encrypted file opens with your passphrase only');
  else printLine('✓ the encrypted file opens without a passphrase; its key stands beside it');
  return 0;
}
