import { z } from 'zod';
import { BUNDLE_LIMITS } from '../bundles/limits.ts';
import { type Kind, list, numberOf, optional, setting, text } from '../contract/settings.ts';

/** The word that stands for this node's own key among signers. */
export const OWN_KEY = 'own';

const MEBIBYTE = 1_048_576;
const keyId = z.string().regex(/^[0-9a-f]{64}$/);

const signers: Kind<readonly string[]> = {
  schema: list.schema.pipe(z.array(z.union([z.literal(OWN_KEY), keyId])).min(1)),
  form: 'a list with commas of ids of keys (64 hexadecimal digits), or own',
};

/** Settings of the functions that runs take along (docs/code-bundles.md). */
export const CODE_SETTINGS = {
  CODE_KEY_FILE: optional(
    text,
    'File of the private key (Ed25519, PEM) that signs the functions which runs take along; nodes that share it trust each other.',
    'a key of the data folder',
  ),
  CODE_SIGNERS: optional(
    signers,
    'Keys whose signed functions run here: their ids with commas, `own` for the key of this node.',
    'what this node signed itself, of trusted folders',
  ),
  CODE_MAX_MB: setting(
    numberOf({ integer: true, min: 1, max: BUNDLE_LIMITS.bytes / MEBIBYTE }),
    8,
    'Megabytes of functions that one run may take along.',
  ),
};

/** Functions that runs take along. */
export interface CodeConfig {
  /** File of the key that signs them; undefined = a key of the data folder. */
  readonly keyFile: string | undefined;
  /** Ids of keys whose signature counts, or `own`; undefined = what this node packed of trusted folders. */
  readonly signers: readonly string[] | undefined;
  /** Of what one run may take along. */
  readonly maxBytes: number;
}

/** The values of {@link CODE_SETTINGS} by what they mean. */
export function codeConfigOf(v: {
  readonly CODE_KEY_FILE: string | undefined;
  readonly CODE_SIGNERS: readonly string[] | undefined;
  readonly CODE_MAX_MB: number;
}): CodeConfig {
  return {
    keyFile: v.CODE_KEY_FILE,
    signers: v.CODE_SIGNERS,
    maxBytes: v.CODE_MAX_MB * MEBIBYTE,
  };
}
