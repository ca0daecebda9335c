import { randomUUID } from 'node:crypto';
import type {
  SecretList,
  SecretPlace,
  SecretPlaces,
  SecretView,
} from '../../contract/gateway/secrets.ts';
import { refuseAtGateway } from '../../gateway/gateway-errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import {
  createSystemKeychain,
  type Keychain,
  KeychainFailure,
  type KeychainView,
} from '../../runtime/keychain.ts';
import {
  accountOf,
  decodeEntry,
  encodeEntry,
  type FoundKey,
  keychainAccounts,
  openRecord,
  readFileKey,
  readSecretFile,
  type SecretFile,
  type SecretRecord,
} from '../../runtime/secret-file.ts';
import { seal, unseal } from '../../runtime/secret-sealing.ts';
import { secretUse } from './secret-names.ts';
import { changeSecrets, type OpenChange } from './secret-writes.ts';

/**
 * Keeps secrets by name. Only `read` gives a value, to this process.
 *
 * The program's own secrets stand under `use:id` (`remote:ID` for a connection, `platform:ID` for a
 * saved platform; `secretName` says which ids): no spec can name them, and the window lists and
 * moves them but never reads one. Who keeps one takes the store of this process (`startServices`,
 * `openStore` of the command line), writes with `put`, and calls `read` once, where the credential
 * is sent, not for each request: the system may ask a person for it, for two minutes. `remove`
 * forgets it and answers false when there was none. Several values of one connection are one text
 * (JSON), so that they change together. A refusal is shown to the person as it is.
 */
export interface SecretStore {
  /** What is stored and where, of one look at the keychain. */
  overview(): Promise<SecretList>;
  places(): Promise<SecretPlaces>;
  list(): Promise<SecretView[]>;
  /**
   * Stores or replaces: where it stands already, else in the file once that has a passphrase, else
   * in the keychain, else in the file.
   * @throws Refusal keychain_locked, keychain_absent (by its name), secrets_locked
   */
  put(name: string, value: string, place?: SecretPlace): Promise<SecretView>;
  /**
   * False when there was none. What stands in a keychain that does not answer is removed there by a
   * later change. @throws Refusal keychain_locked
   */
  remove(name: string): Promise<boolean>;
  /**
   * Copies, verifies, and only then removes the old copy; cut short anywhere, one whole copy is left
   * and the next change removes the other.
   * @throws Refusal secret_unknown, secret_unreadable and those of `put`
   */
  move(name: string, to: SecretPlace): Promise<SecretView>;
  /** @throws Refusal when it is stored and cannot be opened now */
  read(name: string): Promise<string | undefined>;
  /** Has the system ask for the password of a locked keychain. @throws Refusal keychain_locked, keychain_absent */
  unlockKeychain(): Promise<void>;
}

/** The failure of a keychain as a refusal; anything else as it is. */
function refusalOf(error: unknown): unknown {
  return error instanceof KeychainFailure ? refuseAtGateway(`keychain_${error.state}`) : error;
}

async function asked<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw refusalOf(error);
  }
}

function viewOf(
  name: string,
  record: SecretRecord,
  keychain: KeychainView,
  key: FoundKey,
): SecretView {
  const { kept_in, stored_at } = record;
  const common = { name, use: secretUse(name), kept_in, stored_at };
  if (kept_in === 'keychain') {
    const isThere = keychain.values.has(accountOf(name, record));
    const shut = keychain.state === 'open' ? 'unreadable' : keychain.state;
    return { ...common, state: isThere ? 'ready' : shut, second_copy: false };
  }
  const isOpen = openRecord(key, name, record) !== undefined;
  const shut = key.kind === 'locked' ? 'locked' : 'unreadable';
  return { ...common, state: isOpen ? 'ready' : shut, second_copy: record.entry !== undefined };
}

/** A record that this version cannot read: that it is in the file is all that is known. */
function unreadView(name: string): SecretView {
  const known = { name, use: secretUse(name), kept_in: 'file' } as const;
  return { ...known, stored_at: null, state: 'unreadable', second_copy: false };
}

/** One file of secrets and the keychain beside it. */
class Store implements SecretStore {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #keychain: Keychain;

  constructor(file: string, clock: Clock, keychain: Keychain) {
    this.#file = file;
    this.#clock = clock;
    this.#keychain = keychain;
  }

  async overview(): Promise<SecretList> {
    const found = readSecretFile(this.#file);
    const key = readFileKey(this.#file, found.key);
    const view = await this.#look(found);
    const isOutOfReach = found.fault === null && key.kind === 'unreadable';
    return {
      places: {
        keychain: view.state,
        file: key.kind === 'locked' ? 'locked' : 'open',
        fault: isOutOfReach ? 'unreadable' : found.fault,
        has_passphrase: found.key.kind === 'passphrase',
        next: this.#usualPlace(found, view.state !== 'absent'),
      },
      secrets: [
        ...[...found.secrets].map(([name, record]) => viewOf(name, record, view, key)),
        ...[...found.unread.keys()].map(unreadView),
      ],
    };
  }

  async places(): Promise<SecretPlaces> {
    return (await this.overview()).places;
  }

  async list(): Promise<SecretView[]> {
    return (await this.overview()).secrets;
  }

  put(name: string, value: string, place?: SecretPlace): Promise<SecretView> {
    return changeSecrets(this.#file, async (open) => {
      await this.#tidy(open);
      const kept = open.current().secrets.get(name)?.kept_in;
      await this.#store(open, {
        name,
        value,
        place: place ?? kept,
        mayFallBack: place === undefined,
      });
      return this.#viewOf(name);
    });
  }

  remove(name: string): Promise<boolean> {
    return changeSecrets(this.#file, async (open) => {
      await this.#tidy(open);
      const { secrets, unread, leftovers } = open.current();
      const record = secrets.get(name);
      if (record === undefined && !unread.has(name)) return false;
      const hasEntry = record?.kept_in === 'keychain' || record?.entry !== undefined;
      const account = record !== undefined && hasEntry ? accountOf(name, record) : undefined;
      const isLeft = account !== undefined && !(await asked(this.#isRemoved(account)));
      const others = <Of>(of: ReadonlyMap<string, Of>) =>
        new Map([...of].filter(([other]) => other !== name));
      open.write({
        secrets: others(secrets),
        unread: others(unread),
        leftovers: isLeft ? [...leftovers, account] : leftovers,
      });
      return true;
    });
  }

  move(name: string, to: SecretPlace): Promise<SecretView> {
    return changeSecrets(this.#file, async (open) => {
      await this.#tidy(open);
      const record = open.current().secrets.get(name);
      if (open.current().unread.has(name)) throw refuseAtGateway('secret_unreadable');
      if (record === undefined) throw refuseAtGateway('secret_unknown');
      if (record.kept_in !== to) {
        const value = await this.#valueOf(open.current(), name, record);
        await this.#store(open, { name, value, place: to, mayFallBack: false });
      }
      return this.#viewOf(name);
    });
  }

  async read(name: string): Promise<string | undefined> {
    const found = readSecretFile(this.#file);
    if (found.fault !== null && found.fault !== 'damaged')
      throw refuseAtGateway(`secrets_${found.fault}`);
    if (found.fault === 'damaged' || found.unread.has(name))
      throw refuseAtGateway('secret_unreadable');
    const record = found.secrets.get(name);
    return record === undefined ? undefined : this.#valueOf(found, name, record);
  }

  async unlockKeychain(): Promise<void> {
    const [account] = keychainAccounts(readSecretFile(this.#file));
    // Reading an entry is what makes the system ask; without one there is nothing to unlock it for.
    if (account !== undefined) await asked(this.#keychain.read(account));
  }

  #look(found: SecretFile): Promise<KeychainView> {
    return this.#keychain.look(keychainAccounts(found));
  }

  #usualPlace({ key }: SecretFile, hasKeychain: boolean): SecretPlace {
    return key.kind === 'beside' && hasKeychain ? 'keychain' : 'file';
  }

  async #viewOf(name: string): Promise<SecretView> {
    const view = (await this.list()).find((secret) => secret.name === name);
    if (view === undefined) throw refuseAtGateway('secret_unknown');
    return view;
  }

  async #valueOf(found: SecretFile, name: string, record: SecretRecord): Promise<string> {
    if (record.kept_in === 'keychain') {
      const text = await asked(this.#keychain.read(accountOf(name, record)));
      if (text === undefined) throw refuseAtGateway('secret_unreadable');
      return decodeEntry(record, text);
    }
    const key = readFileKey(this.#file, found.key);
    if (key.kind === 'locked' || key.kind === 'unreadable')
      throw refuseAtGateway(`secrets_${key.kind}`);
    const value = openRecord(key, name, record);
    if (value === undefined) throw refuseAtGateway('secret_unreadable');
    return value;
  }

  async #store(
    open: OpenChange,
    what: {
      readonly name: string;
      readonly value: string;
      readonly place: SecretPlace | undefined;
      readonly mayFallBack: boolean;
    },
  ): Promise<void> {
    const { name, value, mayFallBack } = what;
    const place = what.place ?? this.#usualPlace(open.current(), true);
    if (place === 'file') return this.#storeInFile(open, name, value);
    try {
      await this.#storeInKeychain(open, name, value);
    } catch (error) {
      const isAbsent = error instanceof KeychainFailure && error.state === 'absent';
      // A locked one is for the person to unlock: no secret goes to a weaker place by itself.
      if (!isAbsent || !mayFallBack) throw refusalOf(error);
      await this.#storeInFile(open, name, value);
    }
  }

  /** A copy in the keychain stays noted until it is removed there. */
  async #storeInFile(open: OpenChange, name: string, value: string): Promise<void> {
    const key = open.key();
    const sealed = seal(key, name, value);
    if (unseal(key, name, sealed) !== value) throw refuseAtGateway('secret_unreadable');
    const old = open.current().secrets.get(name);
    const copy = old?.kept_in === 'keychain' ? accountOf(name, old) : old?.entry;
    const entry = copy === undefined ? {} : { entry: copy };
    this.#change(open, name, { kept_in: 'file', stored_at: this.#now(), sealed, ...entry });
    await this.#tidy(open);
  }

  /** Each value gets an account of its own, so that the old one stands until the new one is proved. */
  async #storeInKeychain(open: OpenChange, name: string, value: string): Promise<void> {
    // Nothing is noted for a keychain that is not there; a locked one asks when it is written to.
    if ((await this.#keychain.look([])).state === 'absent') throw new KeychainFailure('absent');
    const { id, leftovers, secrets } = open.current();
    const entry = `${name}#${id}.${randomUUID().slice(0, 8)}`;
    const text = encodeEntry(value);
    open.write({ leftovers: [...leftovers, entry] });
    await this.#keychain.write(entry, text);
    if ((await this.#keychain.read(entry)) !== text) throw new KeychainFailure('absent');
    const old = secrets.get(name);
    const hasCopy = old?.kept_in === 'keychain' || old?.entry !== undefined;
    const replaced = old !== undefined && hasCopy ? [accountOf(name, old)] : [];
    const next = new Map(secrets);
    next.set(name, { kept_in: 'keychain', stored_at: this.#now(), entry });
    open.write({ secrets: next, leftovers: [...leftovers, ...replaced] });
    await this.#tidy(open);
  }

  #now(): string {
    return toTimestamp(this.#clock.now());
  }

  #change(open: OpenChange, name: string, record: SecretRecord): void {
    open.write({ secrets: new Map([...open.current().secrets, [name, record]]) });
  }

  /** Removes from the keychain what is of no use there; what cannot go now goes at a later change. */
  async #tidy(open: OpenChange): Promise<void> {
    const { leftovers, secrets, key: header } = open.current();
    const key = readFileKey(this.#file, header);
    const copies = [...secrets].filter(
      ([name, record]) =>
        record.kept_in === 'file' &&
        record.entry !== undefined &&
        openRecord(key, name, record) !== undefined,
    );
    if (leftovers.length + copies.length === 0) return;
    // Looking first: removing would have the system ask for the password of a locked keychain.
    if ((await this.#keychain.look(leftovers)).state !== 'open') return;
    const left: string[] = [];
    for (const account of leftovers) if (!(await this.#isGone(account))) left.push(account);
    const next = new Map(secrets);
    for (const [name, record] of copies) {
      const { entry, ...rest } = record;
      if (entry !== undefined && (await this.#isGone(entry))) next.set(name, rest);
    }
    open.write({ secrets: next, leftovers: left });
  }

  async #isGone(account: string): Promise<boolean> {
    try {
      return await this.#isRemoved(account);
    } catch (error) {
      if (error instanceof KeychainFailure) return false;
      throw error;
    }
  }

  /** False where no keychain answers: what stands there goes when one does. @throws KeychainFailure */
  async #isRemoved(account: string): Promise<boolean> {
    try {
      await this.#keychain.remove(account);
      return true;
    } catch (error) {
      if (error instanceof KeychainFailure && error.state === 'absent') return false;
      throw error;
    }
  }
}

/** Opens the store of secrets whose records stand in `file`. */
export function createSecretStore(
  file: string,
  clock: Clock,
  keychain: Keychain = createSystemKeychain(),
): SecretStore {
  return new Store(file, clock, keychain);
}
