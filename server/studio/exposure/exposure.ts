import { z } from 'zod';
import { refuse } from '../../contract/studio/errors.ts';
import type {
  ExposureConfirmation,
  ExposurePreflight,
  ExposureStatus,
  ExposureView,
} from '../../contract/studio/exposure.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type {
  DraftManifestRow,
  ProjectExposureRow,
  ProjectRow,
} from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { listDraftRows } from '../drafts/drafts-repository.ts';
import { isGenerated } from '../files/canonical-ref.ts';
import { rootIdentity } from '../files/root-identity.ts';
import { missingFiles } from '../files/tree-files.ts';
import type { Handle } from '../handle.ts';
import { findPrincipal } from '../session/principals-repository.ts';
import { exposureDigest, privilegedEntries } from './exposure-digest.ts';
import { findConfirmation, storeConfirmation } from './exposure-repository.ts';

async function manifestOf(handle: Handle, projectId: string): Promise<DraftManifestRow[]> {
  const rows = await listDraftRows(handle, projectId);
  return rows.sort((a, b) => compareCodePoints(a.ref, b.ref));
}

/** What registering and sharing are measured against, as it stands now. */
export async function readExposure(handle: Handle, project: ProjectRow): Promise<ExposureView> {
  const identity = await rootIdentity(project.root);
  const refs = (await manifestOf(handle, project.id)).map((entry) => entry.ref);
  const privileged = privilegedEntries(refs);
  return {
    root_identity: identity,
    exposure_digest: exposureDigest(identity, privileged),
    privileged_entries: privileged,
  };
}

function statusOf(view: ExposureView, confirmed: ProjectExposureRow | undefined): ExposureStatus {
  if (confirmed === undefined) return 'unconfirmed';
  if (confirmed.root_identity !== view.root_identity) return 'root_changed';
  return confirmed.exposure_digest === view.exposure_digest ? 'confirmed' : 'manifest_changed';
}

/** Exposure with the whole manifest and its status, computed on every read. */
export async function readPreflight(
  handle: Handle,
  project: ProjectRow,
): Promise<ExposurePreflight> {
  const view = await readExposure(handle, project);
  const manifest = await manifestOf(handle, project.id);
  return {
    ...view,
    manifest: manifest.map(({ ref, kind }) => ({ ref, kind, privileged: !isGenerated(ref) })),
    status: statusOf(view, await findConfirmation(handle, project.id)),
  };
}

/** False for a tree whose root is not the one that an owner confirmed; never confirmed is true. */
export async function isRootConfirmed(handle: Handle, project: ProjectRow): Promise<boolean> {
  const confirmed = await findConfirmation(handle, project.id);
  if (confirmed === undefined) return true;
  return confirmed.root_identity === (await rootIdentity(project.root));
}

/** Refuses content of a tree whose root is not the confirmed one (studio.md 6.4). */
export async function requireConfirmedRoot(handle: Handle, project: ProjectRow): Promise<void> {
  if (!(await isRootConfirmed(handle, project))) throw refuse('exposure_unconfirmed');
}

const Refs = z.array(z.string());

/** Who confirmed the exposure last, and what is new or gone since. */
export async function readConfirmation(
  handle: Handle,
  project: ProjectRow,
): Promise<ExposureConfirmation | null> {
  const stored = await findConfirmation(handle, project.id);
  if (stored === undefined) return null;
  const { exposure_digest, privileged_entries: now } = await readExposure(handle, project);
  const { confirmed_at, privileged_entries } = stored;
  const person = await findPrincipal(handle, stored.principal_id);
  const confirmed_by = person?.display_name ?? stored.principal_id;
  const refs = (await manifestOf(handle, project.id)).map(({ ref }) => ref);
  const missing = await missingFiles(project.root, refs);
  const facts = { confirmed_at, confirmed_by, exposure_digest, missing };
  if (privileged_entries === null) return { ...facts, added: null, removed: null };
  const then = Refs.parse(JSON.parse(privileged_entries));
  return {
    ...facts,
    added: now.filter((ref) => !then.includes(ref)),
    removed: then.filter((ref) => !now.includes(ref)),
  };
}

/** Replaces the project's confirmation when the digest is the present one. */
export async function confirmExposure(
  deps: StudioDeps,
  member: Member,
  digest: string,
): Promise<ExposurePreflight> {
  const { project, principal } = member;
  const view = await readExposure(deps.db, project);
  if (view.exposure_digest !== digest) throw refuse('exposure_stale', { details: { ...view } });
  const row: ProjectExposureRow = {
    project_id: project.id,
    root_identity: view.root_identity,
    exposure_digest: view.exposure_digest,
    principal_id: principal.id,
    confirmed_at: deps.timestamp(),
    privileged_entries: JSON.stringify(view.privileged_entries),
  };
  await inTransaction(deps.db, async (trx) => {
    await storeConfirmation(trx, row);
    await recordAct(deps, trx, member, 'confirm_exposure', {
      exposure_digest: view.exposure_digest,
    });
  });
  return readPreflight(deps.db, project);
}

/**
 * Sharing shows others what the project exposes: the present digest must be confirmed already, or
 * be sent along, which confirms it (studio.md 6.8).
 */
export async function requireSharedExposure(
  deps: StudioDeps,
  member: Member,
  digest: string | undefined,
): Promise<void> {
  const { status, root_identity, privileged_entries, exposure_digest } = await readPreflight(
    deps.db,
    member.project,
  );
  if (status === 'confirmed') return;
  if (digest !== exposure_digest) {
    const details = { root_identity, privileged_entries, exposure_digest };
    throw refuse('exposure_confirmation_required', { details });
  }
  await confirmExposure(deps, member, digest);
}
