import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { secretsFile } from '../../host/model-keys.ts';
import { createFilePassphrase } from '../../host/secrets/file-passphrase.ts';
import { openSecretsAtStart } from '../../host/secrets/open-at-start.ts';
import { CommandFailure } from '../command-failure.ts';
import { sendNote } from '../output.ts';

/** True where a person can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks on the terminal for a text that is not shown while it is typed. */
export async function askHidden(question: string): Promise<string> {
  sendNote(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  const given = new AbortController();
  lines.once('SIGINT', () => given.abort());
  // The end of the input without a line would leave the question open for ever.
  lines.once('close', () => given.abort());
  try {
    return await lines.question('', { signal: given.signal });
  } catch {
    throw new CommandFailure('Nothing was entered, so nothing was done.');
  } finally {
    lines.close();
    sendNote('\n');
  }
}

/**
 * Opens the stored secrets of a data folder for this command: with the file that a variable names,
 * else by asking, where there is a person. Without either they stay locked, and a run that needs one
 * says so.
 */
export async function openSecretsHere(folder: string): Promise<void> {
  if ((await openSecretsAtStart(folder, process.env)) || !canAsk()) return;
  const passphrase = await askHidden(
    'Passphrase of the stored secrets (Enter: leave them locked): ',
  );
  if (passphrase !== '') await createFilePassphrase(secretsFile(folder)).unlock(passphrase);
}
