import { text } from 'node:stream/consumers';
import {
  type SecretFault,
  type SecretPlace,
  type SecretPlaces,
  type SecretView,
  secretName,
  secretValue,
} from '../../contract/gateway/secrets.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import { secretsFile } from '../../host/model-keys.ts';
import { createSecretStore, type SecretStore } from '../../host/secrets/secret-store.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isServiceName } from '../../runtime/secrets.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { CommandFailure, UsageFailure } from '../command-failure.ts';
import { printFacts, printFailure, printJson, printLine, printNote } from '../output.ts';
import { printTable } from '../table.ts';
import { askHidden, canAsk, openSecretsHere } from './ask-passphrase.ts';

export interface SecretOptions {
  readonly data?: string;
  readonly json?: boolean;
}

const PLACE: Readonly<Record<SecretPlace, string>> = {
  keychain: 'keychain',
  file: 'encrypted file',
};
const STATE: Readonly<Record<SecretView['state'], string>> = {
  ready: 'ready',
  locked: 'locked',
  absent: 'the keychain does not answer',
  unreadable: 'gone or damaged: set it again, or remove it',
};
const KEYCHAIN: Readonly<Record<SecretPlaces['keychain'], string>> = {
  open: 'answers',
  locked: 'locked: unlock it with the program that manages it',
  absent: 'none answers',
};

const FAULT: Readonly<Record<SecretFault, string>> = {
  damaged:
    'The file of secrets is damaged, so nothing of it can be read. It is kept beside when something is stored again.',
  newer: 'A later version of Specwright wrote the file of secrets. Update this one to read it.',
  unreadable:
    'The encrypted file, or the key beside it, cannot be read now. See that the folder "secrets" of the data folder is there and yours.',
};

function fileState({ file, has_passphrase: hasPassphrase }: SecretPlaces): string {
  if (!hasPassphrase) return 'its key stands beside it';
  return file === 'open' ? 'opened with your passphrase' : 'locked by your passphrase';
}

/** The store of a data folder, opened where its passphrase is known or can be asked for. */
export async function openStore(options: SecretOptions): Promise<SecretStore> {
  const folder = chooseDataFolder(options.data, process.env);
  prepareDataFolder(folder);
  await openSecretsHere(folder);
  return createSecretStore(secretsFile(folder), systemClock());
}

/** A name that may be stored. @throws UsageFailure */
function usableName(name: string): string {
  if (secretName.safeParse(name).success && !isServiceName(name)) return name;
  throw new UsageFailure(
    `"${name}" is no name of a secret. Write it as a variable, such as OPENAI_API_KEY; names of the services themselves (SERV_…, DASH_…) are not free.`,
  );
}

/** The value from standard input or a prompt: other users see the words of a command line. */
async function givenValue(name: string): Promise<string> {
  const given = canAsk() ? await askHidden(`Value of ${name}: `) : await text(process.stdin);
  const value = secretValue.safeParse(given);
  if (value.success) return value.data;
  throw new CommandFailure(
    'The value must be one line of printable characters, 8,192 at most. Nothing was stored.',
  );
}

/** `secrets list`. */
export async function list(options: SecretOptions): Promise<number> {
  const store = await openStore(options);
  const { places, secrets } = await store.overview();
  if (options.json) {
    printJson({ places, secrets });
    return 0;
  }
  if (places.fault !== null) printFailure(FAULT[places.fault]);
  if (secrets.length === 0) printLine('Nothing is stored.');
  else {
    printTable(secrets, [
      { head: 'NAME', show: ({ name }) => name },
      { head: 'FOR', show: ({ use }) => use },
      { head: 'KEPT IN', show: ({ kept_in }) => PLACE[kept_in] },
      { head: 'STATE', show: ({ state }) => STATE[state] },
      { head: 'STORED', show: ({ stored_at }) => stored_at ?? '–' },
    ]);
  }
  printFacts({ keychain: KEYCHAIN[places.keychain], 'encrypted file': fileState(places) });
  return 0;
}

/** `secrets set`. */
export async function set(
  name: string,
  options: SecretOptions & { readonly to?: SecretPlace },
): Promise<number> {
  usableName(name);
  const store = await openStore(options);
  const stored = await store.put(name, await givenValue(name), options.to);
  if (options.json) printJson(stored);
  else printLine(`✓ ${name} is kept in the ${PLACE[stored.kept_in]}`);
  return 0;
}

/** `secrets remove`. */
export async function remove(name: string, options: SecretOptions): Promise<number> {
  const store = await openStore(options);
  if (!(await store.remove(name))) {
    throw new CommandFailure(`${name} is not stored; "specwright secrets list" shows what is.`);
  }
  if (options.json) printJson({ removed: name });
  else printLine(`✓ ${name} is removed`);
  return 0;
}

type MoveOptions = SecretOptions & { readonly to: SecretPlace; readonly all?: boolean };

async function namesToMove(store: SecretStore, names: readonly string[], { all, to }: MoveOptions) {
  if ((names.length === 0) === (all !== true)) {
    throw new UsageFailure('Name the secrets to move, or say --all.');
  }
  if (all !== true) return names;
  return (await store.list()).filter(({ kept_in }) => kept_in !== to).map(({ name }) => name);
}

interface Moved {
  readonly moved: SecretView[];
  readonly failed: { readonly name: string; readonly message: string }[];
}

function tellMoved({ moved, failed }: Moved, to: SecretPlace): void {
  for (const { name } of moved) printLine(`✓ ${name} is kept in the ${PLACE[to]}`);
  for (const { name, message } of failed) printFailure(`${name} stays where it is: ${message}`);
  if (moved.length + failed.length === 0) printLine('There is nothing to move.');
  if (moved.some(({ second_copy }) => second_copy)) {
    printNote('A copy is still in the keychain; it is removed at the next change.');
  }
}

/** `secrets move`: exit 1 when one of them stays where it is. */
export async function move(names: readonly string[], options: MoveOptions): Promise<number> {
  const store = await openStore(options);
  const done: Moved = { moved: [], failed: [] };
  for (const name of await namesToMove(store, names, options)) {
    try {
      done.moved.push(await store.move(name, options.to));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      done.failed.push({ name, message: error.message });
    }
  }
  if (options.json) printJson(done);
  else tellMoved(done, options.to);
  return done.failed.length === 0 ? 0 : 1;
}
