import type { KeyObject } from 'node:crypto';
import {
  type BundleFile,
  type BundleManifest,
  MANIFEST_NAME,
  SIGNATURE_NAME,
  TREE_FOLDER,
} from '../contract/bundle.ts';
import { compareCodePoints } from '../kernel/canonical-json.ts';
import { sha256Hex } from '../kernel/sha256.ts';
import { signManifest } from './keys.ts';
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

/** A bundle as it was written. */
export interface WrittenBundle {
  readonly manifest: BundleManifest;
  readonly archive: Uint8Array;
}

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

/**
 * Writes a bundle; the same input gives the same bytes on every machine.
 * @throws BundleRefusal
 */
export async function writeBundle(
  frame: Omit<BundleManifest, 'files'>,
  files: readonly PackedFile[],
  signingKey?: KeyObject,
): Promise<WrittenBundle> {
  refuseBeyond(files);
  const sorted = [...files].sort((a, b) => compareCodePoints(a.path, b.path));
  const manifest: BundleManifest = {
    ...frame,
    files: sorted.map(({ path, role, bytes }) => ({
      path,
      bytes: bytes.length,
      sha256: sha256Hex(bytes),
      role,
    })),
  };
  const text = new TextEncoder();
  const bytes = text.encode(`${JSON.stringify(manifest, null, 2)}\n`);
  const members = new Map([[MANIFEST_NAME, bytes]]);
  if (signingKey !== undefined) {
    const signature = signManifest(bytes, signingKey);
    members.set(SIGNATURE_NAME, text.encode(`${JSON.stringify(signature, null, 2)}\n`));
  }
  for (const file of sorted) members.set(`${TREE_FOLDER}${file.path}`, new Uint8Array(file.bytes));
  return { manifest, archive: await writeStoredZip(members) };
}
