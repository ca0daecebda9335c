import type { DraftCapabilities, DraftKind } from '../../contract/studio/drafts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type AuditEntry, recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readExposure, requireConfirmedRoot } from '../exposure/exposure.ts';
import { isGenerated } from '../files/canonical-ref.ts';
import type { Handle } from '../handle.ts';
import { readTreeFile, requireRef } from './draft-files.ts';
import { findDraft, insertDraft, listDraftRows, removeDraft } from './drafts-repository.ts';

export interface RegisterInput {
  readonly path: string;
  readonly kind: DraftKind;
  readonly capabilities: DraftCapabilities;
  readonly exposure_digest: string;
}

/** True where two spellings of a name that differ in case are one file. */
export function foldsCase(platform: string = process.platform): boolean {
  return platform === 'win32' || platform === 'darwin';
}

/** Where the disk folds case, two spellings are one file: the second is not registered. */
export async function refuseCaseTwin(
  handle: Handle,
  project: ProjectRow,
  ref: string,
  platform: string = process.platform,
): Promise<void> {
  if (!foldsCase(platform)) return;
  const folded = ref.toLowerCase();
  const rows = await listDraftRows(handle, project.id);
  if (rows.some((row) => row.ref !== ref && row.ref.toLowerCase() === folded)) {
    throw refuse('draft_not_found');
  }
}

/** Makes a file of the tree a draft (studio.md 6.4); what is registered already stays as it is. */
export async function registerDraft(
  deps: Pick<StudioDeps, 'db' | 'locks' | 'timestamp'>,
  member: Member,
  input: RegisterInput,
  audit: Pick<AuditEntry, 'action' | 'detail'> = { action: 'register_draft' },
): Promise<void> {
  const { project, principal } = member;
  const ref = requireRef(input.path);
  if (isGenerated(ref)) throw refuse('draft_not_found');
  await deps.locks.run(project.id, async () => {
    const exposure = await readExposure(deps.db, project);
    if (exposure.exposure_digest !== input.exposure_digest) throw refuse('exposure_changed');
    await requireConfirmedRoot(deps.db, project);
    const content = await readTreeFile(project, ref);
    await refuseCaseTwin(deps.db, project, ref);
    if ((await findDraft(deps.db, project.id, ref)) !== undefined) return;
    await inTransaction(deps.db, async (trx) => {
      await insertDraft(trx, {
        project_id: project.id,
        ref,
        kind: input.kind,
        capabilities: input.capabilities,
        origin: 'authored',
        registered_at: deps.timestamp(),
        registered_by: principal.id,
        last_known_revision: content.revision,
      });
      await recordAct(deps, trx, member, audit.action, {
        ref,
        kind: input.kind,
        capabilities: input.capabilities,
        ...audit.detail,
      });
    });
  });
}

/** Forgets a registration; file, links and history stay. */
export async function dropRegistration(
  deps: StudioDeps,
  member: Member,
  ref: string,
): Promise<void> {
  const { project } = member;
  await inTransaction(deps.db, async (trx) => {
    if (!(await removeDraft(trx, project.id, ref))) throw refuse('draft_not_found');
    await recordAct(deps, trx, member, 'drop_registration', { ref });
  });
}
