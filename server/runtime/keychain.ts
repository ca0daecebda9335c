import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

/** Whether a keychain gives and takes at this moment. */
export type KeychainState = 'open' | 'locked' | 'absent';

/** What a keychain holds of the accounts that were asked for. */
export interface KeychainView {
  readonly state: KeychainState;
  /** Account → what stands there. */
  readonly values: ReadonlyMap<string, string>;
}

/** A keychain that is asked without holding up the event loop. */
export interface Keychain {
  /**
   * Reads without asking a person where the system can say that it is locked (Linux); no accounts
   * are all of this program's service. Never rejects.
   */
  look(accounts: readonly string[]): Promise<KeychainView>;
  /** Reads one account, for which the system may ask a person. @throws KeychainFailure */
  read(account: string): Promise<string | undefined>;
  /** Stores, for which the system may ask a person. @throws KeychainFailure */
  write(account: string, value: string): Promise<void>;
  /** Removes; an account that is not there is removed already. @throws KeychainFailure */
  remove(account: string): Promise<void>;
}

/** A keychain that is locked, absent or silent; the message holds nothing that it was asked. */
export class KeychainFailure extends Error {
  override readonly name = 'KeychainFailure';
  readonly state: Exclude<KeychainState, 'open'>;

  constructor(state: Exclude<KeychainState, 'open'>) {
    super(`the keychain is ${state}`);
    this.state = state;
  }
}

/** Under which service the entries stand. */
const SERVICE = 'specwright';
/** How long a look may take before the keychain counts as absent, in milliseconds. */
const LOOK_MS = 4000;
/** The same where a person may be asked for the password of the keychain. */
const PERSON_MS = 120_000;

/** Linux would fall back to a keyring of the kernel, which forgets at the next start. */
const LASTING = { linux: { store: 'secret-service' } } as const;

function loadKeyring(): typeof import('@napi-rs/keyring') {
  // A native module, loaded where somebody asks for it; it is optional, so it may be absent.
  return createRequire(import.meta.url)('@napi-rs/keyring');
}

function entryOf(account: string) {
  const { AsyncEntry } = loadKeyring();
  return new AsyncEntry(SERVICE, account, LASTING);
}

/** What a failure says of the keychain. Its text comes from the system and may quote, so it ends here. */
function stateOf(error: unknown): 'locked' | 'absent' {
  const text = error instanceof Error ? error.message : '';
  return /locked|dismissed|interaction is not allowed/i.test(text) ? 'locked' : 'absent';
}

let unanswered = 0;

/** True while a question has no answer in its time: it holds the process, which then ends by force. */
export function keychainHangs(): boolean {
  return unanswered > 0;
}

/** Counts a question until it is answered after all. */
function noteUnanswered(asked: Promise<unknown>): void {
  unanswered += 1;
  const answered = (): void => {
    unanswered -= 1;
  };
  asked.then(answered, answered);
}

/** A keychain whose service was stopped never answers; who asks must not wait for it. */
async function within<Value>(ms: number, asked: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const silence = wait(ms, undefined, { signal: timer.signal }).then(
    () => {
      noteUnanswered(asked);
      throw new Error('no answer');
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([asked, silence]);
  } finally {
    timer.abort();
  }
}

async function asking<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await within(PERSON_MS, ask());
  } catch (error) {
    throw new KeychainFailure(stateOf(error));
  }
}

/** All entries at once: of a locked Secret Service this fails, where reading one would ask a person. */
async function lookAtAll(): Promise<ReadonlyMap<string, string>> {
  const found = await loadKeyring().findCredentialsAsync(SERVICE);
  return new Map(found.map(({ account, password }) => [account, password]));
}

async function lookAtEach(accounts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const account of accounts) {
    const value = await entryOf(account).getPassword();
    if (value !== null) values.set(account, value);
  }
  return values;
}

/** The operating system's keychain: Secret Service, Keychain, Credential Manager. */
export function createSystemKeychain(): Keychain {
  // A Secret Service without a collection gives an empty list, and takes nothing.
  let refused: KeychainFailure['state'] | undefined;
  return {
    async look(accounts) {
      try {
        const isListed = process.platform === 'linux' || accounts.length === 0;
        const asked = isListed ? lookAtAll() : lookAtEach(accounts);
        const values = await within(LOOK_MS, asked);
        if (values.size > 0) refused = undefined;
        return { state: refused ?? 'open', values };
      } catch (error) {
        return { state: stateOf(error), values: new Map() };
      }
    },
    read: (account) => asking(async () => (await entryOf(account).getPassword()) ?? undefined),
    async write(account, value) {
      try {
        await asking(() => entryOf(account).setPassword(value));
        refused = undefined;
      } catch (error) {
        refused = error instanceof KeychainFailure ? error.state : 'absent';
        throw error;
      }
    },
    remove: (account) =>
      asking(async () => {
        await entryOf(account).deletePassword();
      }),
  };
}
