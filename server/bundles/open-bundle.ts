import type { KeyObject } from 'node:crypto';
import {
  BUNDLE_FORMAT,
  type BundleManifest,
  type BundleSignature,
  bundleManifest,
  bundleSignature,
  MANIFEST_NAME,
  SIGNATURE_NAME,
  TREE_FOLDER,
} from '../contract/bundle.ts';
import { isObject } from '../kernel/json.ts';
import { sha256Hex } from '../kernel/sha256.ts';
import { checkSignature, type Signer } from './keys.ts';
import { isSafeName, nameKey } from './member-name.ts';
import { BundleRefusal } from './refusal.ts';
import { type Members, readStoredZip } from './stored-zip.ts';

/** A bundle whose every byte is what its manifest says. */
export interface OpenBundle {
  readonly manifest: BundleManifest;
  /** Null: nobody signed it. */
  readonly signer: Signer | null;
  /** The project's files by their paths. */
  readonly files: Members;
}

function jsonIn(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BundleRefusal('manifest_invalid', `${name} is no JSON.`);
  }
}

function readManifest(bytes: Uint8Array): BundleManifest {
  const value = jsonIn(bytes, MANIFEST_NAME);
  if (isObject(value) && value['format'] !== BUNDLE_FORMAT) {
    throw new BundleRefusal(
      'manifest_invalid',
      'The bundle is of a form that this version does not know.',
    );
  }
  const read = bundleManifest.safeParse(value);
  if (read.success) return read.data;
  throw new BundleRefusal('manifest_invalid', `${MANIFEST_NAME} is not of the agreed form.`);
}

function readSignature(bytes: Uint8Array): BundleSignature {
  const read = bundleSignature.safeParse(jsonIn(bytes, SIGNATURE_NAME));
  if (read.success) return read.data;
  throw new BundleRefusal('signature_invalid', `${SIGNATURE_NAME} is not of the agreed form.`);
}

/** The files of the manifest, each proved; the archive may hold no other. */
function readTree(members: Members, { files, spec }: BundleManifest): Members {
  const tree = new Map<string, Uint8Array>();
  const keys = new Set<string>();
  for (const { path, bytes, sha256 } of files) {
    if (!isSafeName(path))
      throw new BundleRefusal('unsafe_member', 'The manifest names no plain file.');
    if (keys.has(nameKey(path))) {
      throw new BundleRefusal('duplicate_member', `The manifest names ${path} twice.`);
    }
    keys.add(nameKey(path));
    const content = members.get(`${TREE_FOLDER}${path}`);
    if (content === undefined) {
      throw new BundleRefusal('file_missing', `${path} is in the manifest and not in the bundle.`);
    }
    if (content.length !== bytes || sha256Hex(content) !== sha256) {
      throw new BundleRefusal('file_changed', `${path} is not the file that was packed.`);
    }
    tree.set(path, content);
  }
  const own = new Set([
    MANIFEST_NAME,
    SIGNATURE_NAME,
    ...files.map(({ path }) => TREE_FOLDER + path),
  ]);
  const other = [...members.keys()].find((name) => !own.has(name));
  if (other !== undefined) {
    throw new BundleRefusal(
      'file_not_listed',
      `${other} is in the bundle and not in the manifest.`,
    );
  }
  if (!tree.has(spec)) throw new BundleRefusal('file_missing', 'The bundle holds no spec.');
  return tree;
}

/**
 * Opens a bundle and proves it: archive, signature, manifest, the hash of each file. With `expected`
 * only a bundle signed by that key passes.
 * @throws BundleRefusal
 */
export async function openBundle(archive: Uint8Array, expected?: KeyObject): Promise<OpenBundle> {
  const members = await readStoredZip(archive);
  const bytes = members.get(MANIFEST_NAME);
  if (bytes === undefined)
    throw new BundleRefusal('not_a_bundle', `The file holds no ${MANIFEST_NAME}.`);
  const signature = members.get(SIGNATURE_NAME);
  if (signature === undefined && expected !== undefined) {
    throw new BundleRefusal('not_signed', 'The bundle is not signed.');
  }
  const signer =
    signature === undefined ? null : checkSignature(bytes, readSignature(signature), expected);
  const manifest = readManifest(bytes);
  return { manifest, signer, files: readTree(members, manifest) };
}
