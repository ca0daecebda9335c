import { z } from 'zod';
import { KeptAnswers } from './kept-answers.ts';

/** Where the secrets of connections are kept; only `read` gives a value, to this process. */
export interface RemoteSecrets {
  read(name: string): Promise<string | undefined>;
  put(name: string, value: string): Promise<unknown>;
  remove(name: string): Promise<boolean>;
}

const KINDS = ['key', 'client-key', 'proxy', 'tokens'] as const;
type SecretKind = (typeof KINDS)[number];

const tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  /** Milliseconds since 1970; absent when the provider does not say. */
  ends_at: z.number().optional(),
  name: z.string(),
});
/** What a sign-in left. */
export type StoredTokens = z.output<typeof tokens>;

function nameOf(id: string, kind: SecretKind): string {
  return `remote:${id}.${kind}`;
}

/** A keychain asks a person, or another program, at each question: what it said counts this long. */
const KEPT_MS = 30_000;

/** The secrets of connections by connection and kind. */
export class SecretsOfRemotes {
  readonly #secrets: RemoteSecrets;
  readonly #held = new KeptAnswers<string | undefined>(KEPT_MS);

  constructor(secrets: RemoteSecrets) {
    this.#secrets = secrets;
  }

  /** @throws Refusal when it is stored and cannot be opened now */
  read(id: string, kind: SecretKind): Promise<string | undefined> {
    const name = nameOf(id, kind);
    return this.#held.get(name, () => this.#secrets.read(name));
  }

  /** Left out stays as it is, null is removed. @throws Refusal of the store */
  async change(id: string, kind: SecretKind, value: string | null | undefined): Promise<void> {
    if (value === undefined) return;
    const name = nameOf(id, kind);
    this.#held.forget(name);
    if (value === null) await this.#secrets.remove(name);
    else await this.#secrets.put(name, value);
    this.#held.forget(name);
  }

  /** @throws Refusal of the store */
  async forget(id: string): Promise<void> {
    for (const kind of KINDS) await this.change(id, kind, null);
  }

  /** @throws Refusal when they are stored and cannot be opened now */
  async tokens(id: string): Promise<StoredTokens | undefined> {
    const text = await this.read(id, 'tokens');
    if (text === undefined) return undefined;
    const read = tokens.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  }

  keepTokens(id: string, kept: StoredTokens | null): Promise<void> {
    return this.change(id, 'tokens', kept === null ? null : JSON.stringify(kept));
  }
}
