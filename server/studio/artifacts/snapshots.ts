import { randomBytes } from 'node:crypto';
// biome-ignore lint/style/noRestrictedImports: a whole folder is put at its place.
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { refuse } from '../../contract/studio/errors.ts';
import { flushFolder, makeFile } from '../../files/durable-write.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { systemCode } from '../../kernel/system-code.ts';
import type { ProjectRow, SnapshotRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import {
  contentHash,
  partFileName,
  type SnapshotComponent,
  type SnapshotPart,
} from './snapshot-manifest.ts';
import {
  beginSnapshot,
  chargedBytes,
  findSnapshot,
  listOrphans,
  publishSnapshot,
  removeSnapshot,
} from './snapshots-repository.ts';

/** Bytes of snapshots that may be charged to one principal. */
export const PRINCIPAL_CAP = 1024 ** 3;

function folderOf(deps: StudioDeps, projectId: string, hash: string): string {
  return path.join(deps.stateDir, 'snapshots', projectId, hash);
}

async function requireQuota(deps: StudioDeps, project: ProjectRow, bytes: number): Promise<void> {
  const mine = await chargedBytes(deps.db, { principalId: project.quota_principal_id });
  if (mine + bytes > PRINCIPAL_CAP) throw refuse('quota_exceeded');
  const all = await chargedBytes(deps.db, {});
  if (all + bytes > deps.config.deploymentCap) throw refuse('quota_exceeded');
}

async function materialize(
  folder: string,
  hash: string,
  parts: readonly SnapshotPart[],
): Promise<void> {
  const parent = path.dirname(folder);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const name = `.staging-${hash.slice(0, 16)}-${randomBytes(8).toString('hex')}`;
  const staging = path.join(parent, name);
  await mkdir(staging, { mode: 0o700 });
  try {
    for (const [position, part] of parts.entries()) {
      await makeFile(path.join(staging, partFileName(part, position)), part.bytes, 0o600);
    }
    await rm(folder, { recursive: true, force: true });
    await flushFolder(staging);
    await rename(staging, folder);
    await flushFolder(parent);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Stores the bytes of an artifact's components once per content (studio.md 7.3), charged to the
 * project's quota principal. The caller holds the project's lock. Answers the content hash.
 */
export async function storeSnapshot(
  deps: StudioDeps,
  project: ProjectRow,
  parts: readonly SnapshotPart[],
): Promise<string> {
  const hash = contentHash(parts);
  const known = await findSnapshot(deps.db, project.id, hash);
  if (known?.state === 'published' && (await isWhole(deps, project.id, hash))) return hash;
  const bytes = parts.reduce((sum, part) => sum + part.len, 0);
  if (known === undefined) await requireQuota(deps, project, bytes);
  const components = parts.map(({ bytes: _bytes, ...component }) => component);
  await beginSnapshot(deps.db, {
    project_id: project.id,
    content_hash: hash,
    components: JSON.stringify(components),
    bytes,
    created_at: deps.timestamp(),
  });
  await materialize(folderOf(deps, project.id, hash), hash, parts);
  await publishSnapshot(deps.db, project.id, hash);
  return hash;
}

async function isWhole(deps: StudioDeps, projectId: string, hash: string): Promise<boolean> {
  try {
    await openSnapshot(deps, projectId, hash);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function componentsOf(row: SnapshotRow): SnapshotComponent[] {
  const parsed: unknown = JSON.parse(row.components);
  if (!Array.isArray(parsed)) throw refuse('snapshot_corrupt');
  return parsed;
}

async function readPart(folder: string, component: SnapshotComponent, position: number) {
  const file = path.join(folder, partFileName(component, position));
  const bytes = await readFile(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') throw refuse('snapshot_unavailable', { cause: error });
    throw error;
  });
  return { ...component, bytes };
}

/**
 * Reads a snapshot back and proves every byte of it.
 * @throws Refusal `snapshot_unavailable` when it is gone, `snapshot_corrupt` when it is not what was frozen.
 */
export async function openSnapshot(
  deps: StudioDeps,
  projectId: string,
  hash: string,
): Promise<SnapshotPart[]> {
  const row = await findSnapshot(deps.db, projectId, hash);
  if (row === undefined) throw refuse('snapshot_unavailable');
  const components = componentsOf(row);
  const folder = folderOf(deps, projectId, hash);
  const parts = await Promise.all(
    components.map((component, position) => readPart(folder, component, position)),
  );
  const intact = parts.every(
    (part) => part.bytes.length === part.len && sha256Hex(part.bytes) === part.sha256,
  );
  if (!intact || contentHash(components) !== hash) throw refuse('snapshot_corrupt');
  return parts;
}

/** Removes the snapshots of a project that no live artifact refers to, and releases their charge. */
export async function collectSnapshots(deps: StudioDeps, projectId: string): Promise<void> {
  for (const hash of await listOrphans(deps.db, projectId)) {
    await rm(folderOf(deps, projectId, hash), { recursive: true, force: true });
    await removeSnapshot(deps.db, projectId, hash);
  }
}

/** At start: what an interrupted writer staged goes, and so does what nothing refers to. */
export async function sweepSnapshots(deps: StudioDeps, projectId: string): Promise<void> {
  const parent = path.join(deps.stateDir, 'snapshots', projectId);
  const entries = await readdir(parent).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries.filter((name) => name.startsWith('.staging-'))) {
    await rm(path.join(parent, entry), { recursive: true, force: true });
  }
  await collectSnapshots(deps, projectId);
}
