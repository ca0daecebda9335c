import { canonicalJson } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { sha256 } from '../files/sha256.ts';

/** File of the overrides in a snapshot (studio.md 6.2). */
export const OVERRIDES_NAME = 'overrides.canonical.json';

/** One frozen component of an artifact. */
export interface SnapshotComponent {
  readonly role: 'base' | 'overlay' | 'overrides';
  readonly ord: number;
  /** The ref it was read from; of the overrides, a fixed name. */
  readonly name: string;
  readonly len: number;
  readonly sha256: string;
}

/** A component with its bytes. */
export interface SnapshotPart extends SnapshotComponent {
  readonly bytes: Uint8Array;
}

/** A part with its length and hash filled in. */
export function snapshotPart(
  role: SnapshotComponent['role'],
  ord: number,
  name: string,
  bytes: Uint8Array,
): SnapshotPart {
  const plain = name.normalize('NFC').replaceAll('\\', '/');
  return { role, ord, name: plain, len: bytes.length, sha256: sha256(bytes), bytes };
}

/** SHA-256 of the manifest's canonical JSON (studio.md 7.3). */
export function contentHash(components: readonly SnapshotComponent[]): string {
  const rows = components.map(({ role, ord, name, len, sha256 }) => ({
    role,
    ord,
    name,
    len,
    sha256,
  }));
  return sha256Hex(
    canonicalJson({
      v: 1,
      domain: 'studio/snapshot-manifest',
      n: rows.length,
      components: rows,
    }),
  );
}

/** File name of a part inside its snapshot folder (studio.md 6.2). */
export function partFileName(component: SnapshotComponent, position: number): string {
  if (component.role === 'overrides') return OVERRIDES_NAME;
  return `${String(position).padStart(3, '0')}-${component.role}-${component.ord}.yaml`;
}
