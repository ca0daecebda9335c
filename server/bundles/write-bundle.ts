import type { KeyObject } from 'node:crypto';
import {
  type BundleFile,
  type BundleManifest,
  CODE_FORMAT,
  MANIFEST_NAME,
  SIGNATURE_NAME,
  TREE_FOLDER,
} from '../contract/bundle.ts';
import { compareCodePoints } from '../kernel/canonical-json.ts';
import { hashOf } from './hash-of.ts';
import { type SignedFormat, signManifest } from './keys.ts';
import { BUNDLE_LIMITS } from './limits.ts';
import { isSafeName, nameKey } from './member-name.ts';
import { BundleRefusal } from './refusal.ts';
import { writeStoredZip } from './stored-zip.ts';

/** A file that goes into a bundle. */
export interface PackedFile {
  readonly path: string;
  readonly role: BundleFile['role'];
  readonly bytes: Uint8Array;
}

/** An archive as it was written. */
interface Written<Manifest> {
  readonly manifest: Manifest;
  readonly archive: Uint8Array;
}

/** A bundle as it was written. */
export type WrittenBundle = Written<BundleManifest>;

function refuseBeyond(files: readonly PackedFile[]): void {
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const large = files.find(({ bytes }) => bytes.length > BUNDLE_LIMITS.fileBytes);
  if (
    large !== undefined ||
    total > BUNDLE_LIMITS.bytes ||
    files.length > BUNDLE_LIMITS.files - 2
  ) {
    throw new BundleRefusal(
      'bundle_too_large',
      'A bundle holds at most 2,000 files, 8 MiB in one and 64 MiB in all.',
    );
  }
  const seen = new Set<string>();
  for (const { path } of files) {
    if (!isSafeName(path))
      throw new BundleRefusal('unsafe_member', `${path} cannot travel under that name.`);
    if (seen.has(nameKey(path))) {
      throw new BundleRefusal('duplicate_member', `Two files would be ${path} on another machine.`);
    }
    seen.add(nameKey(path));
  }
}

/** The archive of a manifest with its files; the same input gives the same bytes on every machine. */
async function writeArchive<Frame extends { readonly format: SignedFormat }>(
  frame: Frame,
  files: readonly PackedFile[],
  signingKey: KeyObject | undefined,
): Promise<Written<Frame & Pick<BundleManifest, 'files'>>> {
  refuseBeyond(files);
  const sorted = [...files].sort((a, b) => compareCodePoints(a.path, b.path));
  const manifest = {
    ...frame,
    files: sorted.map(({ path, role, bytes }) => ({
      path,
      bytes: bytes.length,
      sha256: hashOf(bytes),
      role,
    })),
  };
  const text = new TextEncoder();
  const bytes = text.encode(`${JSON.stringify(manifest, null, 2)}\n`);
  const members = new Map([[MANIFEST_NAME, bytes]]);
  if (signingKey !== undefined) {
    const signature = signManifest(frame.format, bytes, signingKey);
    members.set(SIGNATURE_NAME, text.encode(`${JSON.stringify(signature, null, 2)}\n`));
  }
  for (const file of sorted) members.set(`${TREE_FOLDER}${file.path}`, new Uint8Array(file.bytes));
  return { manifest, archive: await writeStoredZip(members) };
}

/**
 * Writes a bundle.
 * @throws BundleRefusal
 */
export function writeBundle(
  frame: Omit<BundleManifest, 'files'>,
  files: readonly PackedFile[],
  signingKey?: KeyObject,
): Promise<WrittenBundle> {
  return writeArchive(frame, files, signingKey);
}

/**
 * Writes the code that runs take along, signed.
 * @throws BundleRefusal
 */
export async function writeCodeBundle(
  files: readonly PackedFile[],
  signingKey: KeyObject,
): Promise<Uint8Array> {
  const { archive } = await writeArchive({ format: CODE_FORMAT }, files, signingKey);
  return archive;
}
