import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { BUNDLE_FORMAT, BundleSignature, CODE_FORMAT } from '../contract/bundle.ts';
import { BundleRefusal } from './refusal.ts';

/** What a signature is for: its format stands before the signed bytes, so that it means nothing else. */
export type SignedFormat = typeof BUNDLE_FORMAT | typeof CODE_FORMAT;

/** A key pair as PEM texts. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
  readonly keyId: string;
}

function derOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function idOf(key: KeyObject): string {
  return createHash('sha256').update(derOf(key)).digest('hex');
}

function requireEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new BundleRefusal('key_invalid', 'A bundle is signed with Ed25519; this is another key.');
}

/** A new Ed25519 key pair. */
export function newKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    keyId: idOf(publicKey),
  };
}

/** A private key out of a PEM text. @throws BundleRefusal `key_invalid` */
export function readSigningKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new BundleRefusal(
      'key_invalid',
      'The key file holds no private key. "specwright bundle keygen" makes one.',
    );
  }
  return requireEd25519(key);
}

/** A public key out of a PEM text. A private one is refused: it has no business here. @throws BundleRefusal `key_invalid` */
export function readPublicKey(pem: string): KeyObject {
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) {
    throw new BundleRefusal('key_invalid', 'The file holds no public key in PEM form.');
  }
  try {
    return requireEd25519(createPublicKey(pem));
  } catch (error) {
    if (error instanceof BundleRefusal) throw error;
    throw new BundleRefusal('key_invalid', 'The public key cannot be read.');
  }
}

function signedBytes(format: SignedFormat, manifest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${format} manifest\n`), manifest]);
}

/** The public half of a signing key. */
export function signerOf(privateKey: KeyObject): Pick<Signer, 'keyId' | 'publicKey'> {
  const key = createPublicKey(privateKey);
  const publicKey = String(key.export({ type: 'spki', format: 'pem' }));
  return { keyId: idOf(key), publicKey };
}

/** Signs the bytes of a manifest. */
export function signManifest(
  format: SignedFormat,
  manifest: Uint8Array,
  privateKey: KeyObject,
): BundleSignature {
  const publicKey = createPublicKey(privateKey);
  return {
    algorithm: 'Ed25519',
    key_id: idOf(publicKey),
    public_key: derOf(publicKey).toString('base64'),
    signature: sign(null, signedBytes(format, manifest), privateKey).toString('base64'),
  };
}

function carriedKey({ public_key }: BundleSignature): KeyObject {
  try {
    const der = Buffer.from(public_key, 'base64');
    return requireEd25519(createPublicKey({ key: der, type: 'spki', format: 'der' }));
  } catch {
    throw new BundleRefusal('signature_invalid', 'The signature carries no usable key.');
  }
}

/** Who signed a bundle. */
export interface Signer {
  readonly keyId: string;
  /** PEM; to be stored as a file and trusted later. */
  readonly publicKey: string;
  /** True when it is the key that the caller named. */
  readonly expected: boolean;
}

/**
 * Checks a signature. Which key counts is never the bundle's word: `expected` is the only one that
 * makes it known, and another one is refused.
 * @throws BundleRefusal `signature_invalid`, `signer_unexpected`
 */
export function checkSignature(
  format: SignedFormat,
  manifest: Uint8Array,
  signature: BundleSignature,
  expected: KeyObject | undefined,
): Signer {
  const key = carriedKey(signature);
  const keyId = idOf(key);
  if (keyId !== signature.key_id) {
    throw new BundleRefusal(
      'signature_invalid',
      'The signature names another key than it carries.',
    );
  }
  if (expected !== undefined && !derOf(expected).equals(derOf(key))) {
    throw new BundleRefusal('signer_unexpected', `The bundle is signed by another key: ${keyId}.`);
  }
  const value = Buffer.from(signature.signature, 'base64');
  if (!verify(null, signedBytes(format, manifest), key, value)) {
    throw new BundleRefusal(
      'signature_invalid',
      'The signature does not match; the bundle was changed after it was signed.',
    );
  }
  const publicKey = String(key.export({ type: 'spki', format: 'pem' }));
  return { keyId, publicKey, expected: expected !== undefined };
}
