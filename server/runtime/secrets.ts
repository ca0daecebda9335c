import { type Environment, readSettings } from '../contract/settings.ts';
import { isObject } from '../kernel/json.ts';
import type { CodeTrees } from './code-trees.ts';
import {
  isUsualKey,
  providerAddressVariables,
  providerKeyVariable,
} from './models/provider-names.ts';
import {
  type Closed,
  createKeychainSecrets,
  STORED_SECRETS,
  type StoredAnswer,
  type StoredSecrets,
  storedSecretsOf,
} from './stored-secrets.ts';
import { HOW_TO_TRUST } from './trusted-folders.ts';
import { SECRET_VARIABLES } from './variables.ts';

/** Why a secret that is there is not given: whose name it is, or that nobody can open it now. */
type Refusal = 'service' | 'provider' | 'environment' | Closed;

/** What a name stands for. */
export type SecretAnswer =
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly because: Refusal };

/** The only way of a name to a value (decisions 46). */
export interface Secrets {
  /** To be awaited before the questions of one piece of work: keychains answer later. Never rejects. */
  ready(): Promise<void>;
  /**
   * What a spec names: a secret that the user stored or the operator listed in SERV_SPEC_SECRETS;
   * another variable of the environment only for a trusted tree; one of the services' own never.
   */
  named(name: string): SecretAnswer;
  /** A provider's key; who asks sends it to a place of that provider and nowhere else. */
  providerKey(provider: string): SecretAnswer;
  /** Where the operator moved a provider to; no secret. */
  providerAddress(provider: string): string | undefined;
}

/**
 * Holds, as JSON, the names that a project gives to keys and secrets (`secrets.provider_env` and
 * `extra_env`, spec-v1 17): usual name → variable. The command line sets it for a platform of its own.
 */
export const SECRET_NAMES = 'SPECWRIGHT_SECRET_NAMES';

/** Variables that belong to the services themselves: no spec may have them sent anywhere. */
const OWN = /^(SERV|KNEO|STUDIO|DASH|PLATFORM|SPECWRIGHT)_/;

const MISSING = { kind: 'missing' } as const;

const systemKeychain = createKeychainSecrets();

/** Places that a name is looked up in, first to last. */
type Places = readonly Pick<StoredSecrets, 'read'>[];

/**
 * The first value that is not empty: an empty one counts as missing (contract/platform.md 3.14). One
 * that is stored and cannot be opened now is told when no later place has the name.
 */
function firstOf(places: Places, name: string): StoredAnswer {
  let closed: StoredAnswer | undefined;
  for (const place of places) {
    const answer = place.read(name);
    if (answer.kind === 'found' && answer.value !== '') return answer;
    if (answer.kind === 'closed') closed ??= answer;
  }
  return closed ?? MISSING;
}

function environmentPlace(env: Environment): Places[number] {
  return {
    read(name) {
      const value = env[name];
      return value === undefined ? MISSING : { kind: 'found', value };
    },
  };
}

function givenNames(text: string | undefined): ReadonlyMap<string, string> {
  const parsed: unknown = text === undefined ? {} : JSON.parse(text);
  const pairs = isObject(parsed) ? Object.entries(parsed) : [];
  return new Map(pairs.flatMap(([name, to]) => (typeof to === 'string' ? [[name, to]] : [])));
}

/**
 * Looks secrets up among those that a person stored, then in the operating system's keychain when
 * SERV_KEYCHAIN is on, then in the environment (spec-v1 17, decisions 9), and says no where
 * decisions 46 says no. `trusted` is about the tree that specs come from.
 */
export function openSecrets(
  env: Environment,
  trusted: boolean,
  keychain: StoredSecrets = systemKeychain,
): Secrets {
  const file = env[STORED_SECRETS];
  const settings = readSettings(SECRET_VARIABLES, env);
  const stored: readonly StoredSecrets[] = [
    ...(file === undefined ? [] : [storedSecretsOf(file)]),
    ...(settings.KEYCHAIN ? [keychain] : []),
  ];
  const everywhere: Places = [...stored, environmentPlace(env)];
  const names = givenNames(env[SECRET_NAMES]);
  const listed = new Set(settings.SPEC_SECRETS);

  const answer = (found: StoredAnswer): SecretAnswer =>
    found.kind === 'closed' ? { kind: 'refused', because: found.because } : found;
  const refusal = (name: string, because: Refusal): SecretAnswer =>
    firstOf(everywhere, name).kind === 'missing' ? MISSING : { kind: 'refused', because };
  /** `name` is the variable itself: a project that renames one opens no other. */
  const release = (name: string): SecretAnswer => {
    if (isServiceName(name)) return refusal(name, 'service');
    // What the program itself uses has names that no variable has.
    if (!isSpecName(name)) return MISSING;
    if (trusted || listed.has(name)) return answer(firstOf(everywhere, name));
    if (isUsualKey(name)) return refusal(name, 'provider');
    const found = firstOf(stored, name);
    return found.kind === 'missing' ? refusal(name, 'environment') : answer(found);
  };
  return {
    async ready() {
      await Promise.all(stored.map((place) => place.ready()));
    },
    named: (name) => release(names.get(name) ?? name),
    providerKey(provider) {
      const usual = providerKeyVariable(provider);
      const name = names.get(usual) ?? usual;
      if (name !== usual || isServiceName(name)) return release(name);
      return answer(firstOf(everywhere, name));
    },
    providerAddress(provider) {
      for (const name of providerAddressVariables(provider)) {
        const found = isServiceName(name) ? MISSING : firstOf(everywhere, name);
        if (found.kind === 'found') return found.value;
      }
      return undefined;
    },
  };
}

/** What the specs of each project may have, by the trust in its folder at the time of the question. */
export interface ProjectSecrets {
  /** As that of `Secrets`. */
  ready(): Promise<void>;
  /** null: specs that belong to no project. */
  of(project: string | null): Secrets;
}

/** The secrets of a platform whose specs come from several folders. */
export function createProjectSecrets(env: Environment, trees: CodeTrees): ProjectSecrets {
  const trusted = openSecrets(env, true);
  const untrusted = openSecrets(env, false);
  return {
    ready: () => trusted.ready(),
    of(project) {
      const now = (): Secrets => (trees.find(project).trusted ? trusted : untrusted);
      return {
        ready: () => trusted.ready(),
        named: (name) => now().named(name),
        providerKey: (provider) => now().providerKey(provider),
        providerAddress: (provider) => now().providerAddress(provider),
      };
    },
  };
}

/** True for a variable of the services themselves, which holds no secret of a spec. */
export function isServiceName(name: string): boolean {
  return OWN.test(name);
}

/** True for a name that a spec can mean: the program's own secrets are named `use:name`. */
export function isSpecName(name: string): boolean {
  return !name.includes(':');
}

const CLOSED_ADVICE: Readonly<Record<Closed, string>> = {
  file_locked:
    'is stored in a file that is locked. Open it with your passphrase under Settings, or start with SPECWRIGHT_SECRETS_PASSPHRASE_FILE.',
  file_unreadable:
    'may stand in the file of stored secrets, which cannot be read now. Settings and "specwright secrets list" say why.',
  keychain_locked:
    'is stored in the keychain of this computer, which is locked. Unlock it under Settings, or with the program that manages it.',
  keychain_absent:
    'is stored in the keychain of this computer, which does not answer. Start it, or store the secret again in the encrypted file: Settings, or "specwright secrets set NAME --to file".',
  unreadable:
    'is stored, but what was stored is gone or damaged. Store it again under Settings, or with "specwright secrets set NAME".',
};

/** True for a secret that is stored and that nobody can open now. */
export function isClosed(answer: SecretAnswer): boolean {
  return answer.kind === 'refused' && Object.hasOwn(CLOSED_ADVICE, answer.because);
}

/** What a person can do about a secret that was not found or not given; a sentence. */
export function secretAdvice(name: string, answer: SecretAnswer): string {
  if (answer.kind !== 'refused') {
    return `There is no secret ${name}. Store it under Settings, or set the variable ${name} and list it in SERV_SPEC_SECRETS or trust the folder (specwright trust add).`;
  }
  switch (answer.because) {
    case 'service':
      return `${name} belongs to the services and is never given to a spec. Store the secret under another name.`;
    case 'provider':
      return `${name} is the key of a provider: it goes to that provider's own address, or to the one that ${name.replace(/_API_KEY$/, '_BASE_URL')} sets. Store the key of another place under another name, list ${name} in SERV_SPEC_SECRETS, or trust the folder. ${HOW_TO_TRUST}`;
    case 'environment':
      return `${name} is a variable of the environment, which a spec of a folder that is not trusted may not read. Store it under Settings, list ${name} in SERV_SPEC_SECRETS, or trust the folder. ${HOW_TO_TRUST}`;
    default:
      return `${name} ${CLOSED_ADVICE[answer.because].replace('NAME', name)}`;
  }
}
