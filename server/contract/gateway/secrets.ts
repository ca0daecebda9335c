import { z } from 'zod';
import { gatewayRoute } from '../route.ts';

export const secretPlace = z.enum(['keychain', 'file']);
/** Where a secret is kept. */
export type SecretPlace = z.output<typeof secretPlace>;

const secretUse = z.enum(['model', 'credential', 'spec', 'platform', 'remote']);
/** Who asks for it: models, imported steps, specs by name, a saved platform, a remote connection. */
export type SecretUse = z.output<typeof secretUse>;

/** A variable's name for what specs may mean; `platform:NAME` and `remote:NAME` for the program's own. */
export const secretName = z
  .string()
  .regex(/^(?:[A-Z][A-Z0-9_]{0,99}|(?:platform|remote):[A-Za-z0-9][\w.-]{0,99})$/);

/** Text of one line that a header can carry. */
export const secretValue = z
  .string()
  .trim()
  .regex(/^[\x20-\x7e]{1,8192}$/);

/** Letters of any script; short ones are guessed. */
export const secretPassphrase = z.string().min(10).max(1024);

const secretView = z
  .object({
    name: z.string(),
    use: secretUse,
    kept_in: secretPlace,
    /** Null when the record of it cannot be read. */
    stored_at: z.string().nullable(),
    /** Whether it can be had now: `absent` when the keychain does not answer, `unreadable` when it is gone or damaged. */
    state: z.enum(['ready', 'locked', 'absent', 'unreadable']),
    /** A copy in the keychain is still to be removed; the next change does it. */
    second_copy: z.boolean(),
  })
  .meta({ id: 'StoredSecret' });

/** A stored secret, never its value. */
export type SecretView = z.output<typeof secretView>;

const secretFault = z.enum(['damaged', 'newer', 'unreadable']);
/**
 * Why nothing can be said of what is stored: what is there is no file of secrets, a later version
 * wrote it, or the system does not let it or its key be read.
 */
export type SecretFault = z.output<typeof secretFault>;

const secretPlaces = z
  .object({
    keychain: z.enum(['open', 'locked', 'absent']),
    file: z.enum(['open', 'locked']),
    fault: secretFault.nullable(),
    /** False: the key of the file stands beside it. */
    has_passphrase: z.boolean(),
    /** Where the next new secret is kept. */
    next: secretPlace,
  })
  .meta({ id: 'SecretPlaces' });

export type SecretPlaces = z.output<typeof secretPlaces>;

const secretList = z
  .object({ places: secretPlaces, secrets: z.array(secretView) })
  .meta({ id: 'SecretList' });

export type SecretList = z.output<typeof secretList>;

const outcome = z.object({
  name: z.string(),
  /** Null when it is moved. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export const moveSecretsBody = z.strictObject({
  names: z.array(secretName).min(1).max(1000),
  to: secretPlace,
});

export const moveOutcome = z.object({ results: z.array(outcome) }).meta({ id: 'MovedSecrets' });

/** Why a file of secrets cannot be changed now. */
const FILE_ERRORS = ['secrets_busy', 'secrets_newer', 'secrets_unreadable', 'secrets_unwritable'];
/** Why a secret cannot be put at its place, or taken from it. */
export const PLACE_ERRORS = [
  ...['keychain_locked', 'keychain_absent', 'secrets_locked'],
  ...FILE_ERRORS,
];

export const listSecrets = gatewayRoute.get('listSecrets', {
  path: '/secrets',
  summary: 'Stored secrets by name with where each is kept, never their values',
  responses: { 200: secretList },
  access: null,
});

export const moveSecrets = gatewayRoute.post('moveSecrets', {
  path: '/secrets/move',
  summary: 'Move stored secrets to the keychain or to the encrypted file',
  body: moveSecretsBody,
  responses: { 200: moveOutcome },
  access: null,
});

export const unlockKeychain = gatewayRoute.post('unlockKeychain', {
  path: '/secrets/keychain/unlock',
  summary: 'Have the system ask for the password of a locked keychain',
  responses: { 200: secretPlaces },
  errors: PLACE_ERRORS,
  access: null,
});

export const passphraseBody = z.strictObject({ passphrase: z.string().min(1).max(1024) });

export const unlockSecrets = gatewayRoute.post('unlockSecrets', {
  path: '/secrets/file/unlock',
  summary: 'Open the encrypted file with its passphrase until the program ends',
  body: passphraseBody,
  responses: { 200: secretPlaces },
  errors: ['passphrase_wrong', 'secrets_newer', 'secrets_unreadable'],
  access: null,
});

export const lockSecrets = gatewayRoute.post('lockSecrets', {
  path: '/secrets/file/lock',
  summary: 'Forget what opened the encrypted file',
  responses: { 200: secretPlaces },
  access: null,
});

export const setPassphraseBody = z.strictObject({
  passphrase: secretPassphrase,
  /** The one of now, where there is one. */
  current: z.string().max(1024).optional(),
});

export const setPassphrase = gatewayRoute.put('setPassphrase', {
  path: '/secrets/file/passphrase',
  summary: 'Set or change the passphrase of the encrypted file',
  body: setPassphraseBody,
  responses: { 200: secretPlaces },
  errors: ['passphrase_wrong', 'passphrase_refused', ...FILE_ERRORS],
  access: null,
});

export const removePassphrase = gatewayRoute.post('removePassphrase', {
  path: '/secrets/file/passphrase/remove',
  summary: 'Keep the key of the encrypted file beside it again',
  body: passphraseBody,
  responses: { 200: secretPlaces },
  errors: ['passphrase_wrong', ...FILE_ERRORS],
  access: null,
});
