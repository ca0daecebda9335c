import type { KeyObject } from 'node:crypto';
import type { z } from 'zod';
import {
  BUNDLE_FORMAT,
  type BundleManifest,
  type BundleSignature,
  bundleManifest,
  bundleSignature,
  CODE_FORMAT,
  type CodeManifest,
  codeManifest,
  MANIFEST_NAME,
  SIGNATURE_NAME,
  TREE_FOLDER,
} from '../contract/bundle.ts';
import { isObject } from '../kernel/json.ts';
import { workShare } from '../runtime/work-share.ts';
import { hashOf } from './hash-of.ts';
import { checkSignature, type SignedFormat, type Signer } from './keys.ts';
import { isSafeName, nameKey } from './member-name.ts';
import { BundleRefusal } from './refusal.ts';
import { type Members, readStoredZip } from './stored-zip.ts';

/** What an archive of this container may be. */
interface Kind<Manifest> {
  readonly format: SignedFormat;
  readonly schema: z.ZodType<Manifest>;
}

const BUNDLE: Kind<BundleManifest> = { format: BUNDLE_FORMAT, schema: bundleManifest };
const CODE: Kind<CodeManifest> = { format: CODE_FORMAT, schema: codeManifest };

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

function readManifest<Manifest>(bytes: Uint8Array, { format, schema }: Kind<Manifest>): Manifest {
  const value = jsonIn(bytes, MANIFEST_NAME);
  if (isObject(value) && value['format'] !== format) {
    throw new BundleRefusal(
      'manifest_invalid',
      'The bundle is of a form that this version does not know.',
    );
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new BundleRefusal('manifest_invalid', `${MANIFEST_NAME} is not of the agreed form.`);
}

function readSignature(bytes: Uint8Array): BundleSignature {
  const read = bundleSignature.safeParse(jsonIn(bytes, SIGNATURE_NAME));
  if (read.success) return read.data;
  throw new BundleRefusal('signature_invalid', `${SIGNATURE_NAME} is not of the agreed form.`);
}

/** The files of the manifest, each proved; the archive may hold no other. */
async function readTree(
  members: Members,
  { files }: Pick<BundleManifest, 'files'>,
): Promise<Members> {
  const tree = new Map<string, Uint8Array>();
  const keys = new Set<string>();
  const share = workShare();
  for (const { path, bytes, sha256 } of files) {
    if (!isSafeName(path))
      throw new BundleRefusal('unsafe_member', 'The manifest names no plain file.');
    if (keys.has(nameKey(path))) {
      throw new BundleRefusal('duplicate_member', `The manifest names ${path} twice.`);
    }
    keys.add(nameKey(path));
    await share();
    const content = members.get(`${TREE_FOLDER}${path}`);
    if (content === undefined) {
      throw new BundleRefusal('file_missing', `${path} is in the manifest and not in the bundle.`);
    }
    if (content.length !== bytes || hashOf(content) !== sha256) {
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
  return tree;
}

function notSigned(): BundleRefusal {
  return new BundleRefusal('not_signed', 'The bundle is not signed.');
}

async function openArchive<Manifest extends Pick<BundleManifest, 'files'>>(
  archive: Uint8Array,
  kind: Kind<Manifest>,
  expected?: KeyObject,
) {
  const members = await readStoredZip(archive);
  const bytes = members.get(MANIFEST_NAME);
  if (bytes === undefined)
    throw new BundleRefusal('not_a_bundle', `The file holds no ${MANIFEST_NAME}.`);
  const signature = members.get(SIGNATURE_NAME);
  if (signature === undefined && expected !== undefined) throw notSigned();
  const signer =
    signature === undefined
      ? null
      : checkSignature(kind.format, bytes, readSignature(signature), expected);
  const manifest = readManifest(bytes, kind);
  return { manifest, signer, files: await readTree(members, manifest) };
}

/**
 * Opens a bundle and proves it: archive, signature, manifest, the hash of each file. With `expected`
 * only a bundle signed by that key passes.
 * @throws BundleRefusal
 */
export async function openBundle(archive: Uint8Array, expected?: KeyObject): Promise<OpenBundle> {
  const bundle = await openArchive(archive, BUNDLE, expected);
  if (bundle.files.has(bundle.manifest.spec)) return bundle;
  throw new BundleRefusal('file_missing', 'The bundle holds no spec.');
}

/** Code of runs whose every byte is what its signer packed. */
export interface OpenCode {
  readonly signer: Signer;
  readonly files: Members;
}

/**
 * Opens code that runs take along, and proves it as {@link openBundle} does; whose signature counts is
 * for the caller to say.
 * @throws BundleRefusal
 */
export async function openCodeBundle(archive: Uint8Array): Promise<OpenCode> {
  const { signer, files } = await openArchive(archive, CODE);
  if (signer === null) throw notSigned();
  return { signer, files };
}
