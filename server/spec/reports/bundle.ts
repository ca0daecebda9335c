import { canonicalJson, compareCodePoints } from '../../kernel/canonical-json.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { hmacSha256Hex, sha256Hex } from '../../kernel/sha256.ts';
import { upgradeDocument } from '../load/upgrade.ts';
import { parseSpecText, type SpecFormat } from '../yaml/parse-yaml.ts';
import { entryOf, keysOf, resolved, type SourceNode } from '../yaml/source-map.ts';

/** The environment name under which a signing key is looked up unless another is named. */
export const DEFAULT_SIGNING_KEY = 'SERV_SPEC_SIGNING_KEY';

const KIND = 'kneo.spec.bundle';
const DIGEST = 'SHA256';
const SIGNATURE = 'HMAC-SHA256';

/** A spec that somebody vouches for (spec-v1 19). */
export interface SpecBundle {
  kind: typeof KIND;
  version: 'v1';
  metadata: { approved_by: string; environment: string | null; created_at: string };
  spec: JsonObject;
  digest: { algorithm: typeof DIGEST; value: string };
  signature: { algorithm: typeof SIGNATURE; key_id: string; value: string };
}

export interface SignInput {
  /** A layered document of a known version; the bundle holds it migrated. */
  readonly spec: JsonObject;
  readonly approved_by: string;
  readonly environment: string | null;
  /** A timestamp of the stored form. */
  readonly created_at: string;
  /** The environment name that holds the key. */
  readonly key_id: string;
  readonly key: string;
}

/**
 * Signs a spec (spec-v1 19): the digest is over the migrated spec, the signature over the bundle
 * without it, both as canonical JSON. Write it to a file with `JSON.stringify`, which spells numbers
 * as they were signed.
 * @throws TypeError for an empty key, which would sign nothing.
 */
export function signBundle(input: SignInput): SpecBundle {
  if (input.key === '') throw new TypeError('a signing key is not empty');
  const { spec } = upgradeDocument(input.spec);
  const unsigned = {
    kind: KIND,
    version: 'v1',
    metadata: {
      approved_by: input.approved_by,
      environment: input.environment,
      created_at: input.created_at,
    },
    spec,
    digest: { algorithm: DIGEST, value: sha256Hex(canonicalJson(spec)) },
  } as const;
  const value = hmacSha256Hex(input.key, canonicalJson(unsigned));
  return { ...unsigned, signature: { algorithm: SIGNATURE, key_id: input.key_id, value } };
}

/** What the check of a bundle found (platform.md 13). `valid` = both parts hold and nothing is wrong. */
export interface BundleVerification {
  valid: boolean;
  digest_valid: boolean;
  signature_valid: boolean;
  errors: string[];
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/**
 * Canonical JSON of a part of a text, with each number as it is spelled there (spec-v1 19), so that
 * a bundle signed elsewhere with `1.0` verifies. `without` leaves one key of the top mapping out.
 */
function canonicalText(text: string, node: SourceNode, without?: string): string {
  const part = resolved(node);
  if (part.kind === 'list') {
    return `[${part.items.map((item) => canonicalText(text, item)).join(',')}]`;
  }
  if (part.kind === 'map') {
    const members = [...new Set(keysOf(part))].sort(compareCodePoints).flatMap((key) => {
      const entry = key === without ? undefined : entryOf(part, key);
      return entry === undefined
        ? []
        : [`${canonicalJson(key)}:${canonicalText(text, entry.value)}`];
    });
    return `{${members.join(',')}}`;
  }
  const spelled = text.slice(part.start, part.end);
  return part.type === 'number' && JSON_NUMBER.test(spelled) ? spelled : canonicalJson(part.value);
}

function scalarAt(node: SourceNode | undefined, key: string): unknown {
  const value = node && entryOf(node, key)?.value;
  const target = value && resolved(value);
  return target?.kind === 'scalar' ? target.value : undefined;
}

/** Compares in a time that does not tell where the texts differ. */
function isSame(a: string, b: unknown): boolean {
  if (typeof b !== 'string' || a.length !== b.length) return false;
  let apart = 0;
  for (let i = 0; i < a.length; i += 1) apart |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return apart === 0;
}

function frameProblems(root: SourceNode): string[] {
  const problems: string[] = [];
  if (scalarAt(root, 'kind') !== KIND) problems.push(`The kind of a bundle is "${KIND}".`);
  if (scalarAt(root, 'version') !== 'v1') problems.push('The version of a bundle is "v1".');
  return problems;
}

function digestProblem(text: string, root: SourceNode): string | undefined {
  const digest = entryOf(root, 'digest')?.value;
  const spec = entryOf(root, 'spec')?.value;
  if (spec === undefined || resolved(spec).kind !== 'map') return 'The bundle holds no spec.';
  if (scalarAt(digest, 'algorithm') !== DIGEST) return `The digest must be made with ${DIGEST}.`;
  if (isSame(sha256Hex(canonicalText(text, spec)), scalarAt(digest, 'value'))) return undefined;
  return 'The digest does not match the spec; the spec was changed after signing.';
}

function signatureProblem(
  text: string,
  root: SourceNode,
  keyOf: (keyId: string) => string | undefined,
  asked: string | undefined,
): string | undefined {
  const signature = entryOf(root, 'signature')?.value;
  if (signature === undefined) return 'The bundle has no signature.';
  if (scalarAt(signature, 'algorithm') !== SIGNATURE) {
    return `The signature must be made with ${SIGNATURE}.`;
  }
  const named = scalarAt(signature, 'key_id');
  const said = typeof named === 'string' && named !== '' ? named : DEFAULT_SIGNING_KEY;
  const keyId = asked ?? said;
  const key = keyOf(keyId);
  if (!key)
    return `There is no key ${keyId} that may check the signature. Give --key-env ${keyId}, or store it or list it in SERV_SPEC_SECRETS.`;
  const made = hmacSha256Hex(key, canonicalText(text, root, 'signature'));
  if (isSame(made, scalarAt(signature, 'value'))) return undefined;
  return 'The signature does not match; the bundle was changed or signed with another key.';
}

/**
 * Checks the text of a bundle (spec-v1 19). `keyOf` gives the key of a name, or undefined when there
 * is none; it is asked for `keyId` alone when that is given, else for the `key_id` of the bundle.
 * Never throws.
 */
export function verifyBundle(
  text: string,
  format: SpecFormat,
  keyOf: (keyId: string) => string | undefined,
  keyId?: string,
): BundleVerification {
  const { value, diagnostics, source } = parseSpecText(text, format);
  if (value === undefined || source.root === undefined) {
    const errors = diagnostics.map(({ message }) => message);
    return { valid: false, digest_valid: false, signature_valid: false, errors };
  }
  const digest = digestProblem(text, source.root);
  const signature = signatureProblem(text, source.root, keyOf, keyId);
  const errors = [...frameProblems(source.root), digest, signature].filter(
    (problem) => problem !== undefined,
  );
  return {
    valid: errors.length === 0,
    digest_valid: digest === undefined,
    signature_valid: signature === undefined,
    errors,
  };
}
