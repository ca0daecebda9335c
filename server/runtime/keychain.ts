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

/** A look never asks a person; anything else may. */
type Question = 'look' | 'other';

/** Calls into the system that have not come back. Each holds one of the few threads that files need too. */
const open = new Map<Question, Promise<void>>();
/** Those of them whose time is over. */
const overdue = new Set<Question>();

/** True while a question has no answer: it holds the process, which then ends by force. */
export function keychainHangs(): boolean {
  return open.size > 0;
}

/** True for a question that would only wait behind one that hangs; an open dialog of the system hinders no look. */
function isHopeless(question: Question): boolean {
  return overdue.has('look') || overdue.has(question);
}

/** One question of a kind at a time; one that was given up while it waited is never asked. */
async function inTurn<Value>(
  question: Question,
  givenUp: AbortSignal,
  ask: () => Promise<Value>,
): Promise<Value> {
  for (let before = open.get(question); before !== undefined; before = open.get(question)) {
    await before;
    if (givenUp.aborted) throw new Error('given up');
  }
  const asked = ask();
  const over = (): void => {
    open.delete(question);
    overdue.delete(question);
  };
  open.set(question, asked.then(over, over));
  return asked;
}

/** A keychain whose service was stopped never answers; who asks must not wait for it, nor ask again. */
async function within<Value>(
  question: Question,
  ms: number,
  ask: () => Promise<Value>,
): Promise<Value> {
  if (isHopeless(question)) throw new Error('no answer to an earlier question');
  const timer = new AbortController();
  const givenUp = new AbortController();
  const silence = wait(ms, undefined, { signal: timer.signal }).then(
    () => {
      givenUp.abort();
      if (open.has(question)) overdue.add(question);
      throw new Error('no answer');
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([inTurn(question, givenUp.signal, ask), silence]);
  } finally {
    timer.abort();
  }
}

async function asking<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await within('other', PERSON_MS, ask);
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

/** How long a refused write says more of an empty keychain than its list, in milliseconds. */
const REFUSED_MS = 10_000;

/** The operating system's keychain: Secret Service, Keychain, Credential Manager. */
export function createSystemKeychain(now: () => number = Date.now): Keychain {
  // A Secret Service without a collection gives an empty list, and takes nothing; a person may make one.
  let refused: { readonly state: KeychainFailure['state']; readonly until: number } | undefined;
  return {
    async look(accounts) {
      try {
        const isListed = process.platform === 'linux' || accounts.length === 0;
        const ask = isListed ? lookAtAll : () => lookAtEach(accounts);
        const values = await within('look', LOOK_MS, ask);
        const isRefused = refused !== undefined && values.size === 0 && now() < refused.until;
        if (!isRefused) refused = undefined;
        return { state: refused?.state ?? 'open', values };
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
        const state = error instanceof KeychainFailure ? error.state : 'absent';
        refused = { state, until: now() + REFUSED_MS };
        throw error;
      }
    },
    remove: (account) =>
      asking(async () => {
        await entryOf(account).deletePassword();
      }),
  };
}
