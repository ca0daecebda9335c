import type { DraftReassociationView } from '../../contract/studio/drafts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { DraftManifestRow, ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readExposure, requireConfirmedRoot } from '../exposure/exposure.ts';
import type { Handle } from '../handle.ts';
import { moveVersions } from '../history/versions-repository.ts';
import { readTreeFile, requireRef, staleDraft } from './draft-files.ts';
import { findDraft, insertDraft, linkAnalyses, listLinkedAnalyses } from './drafts-repository.ts';

export interface ReassociationInput {
  readonly old_ref: string;
  readonly new_ref: string;
  readonly expected_revision: string;
  readonly exposure_digest: string;
}

/** The refusal of a rename to itself. */
export function sameRef() {
  const error = {
    loc: ['body', 'new_ref'],
    msg: 'The new ref is the old one',
    type: 'value_error',
  };
  return refuse('request_invalid', { details: { errors: [error] } });
}

/** Refuses a target that is registered as something else. */
export function requireSameRegistration(
  newRef: string,
  expected: DraftManifestRow,
  target: DraftManifestRow | undefined,
): void {
  if (target === undefined) return;
  if (target.kind === expected.kind && target.capabilities === expected.capabilities) return;
  throw refuse('reassociation_target_conflict', {
    details: {
      new_ref: newRef,
      expected_kind: expected.kind,
      kind: target.kind,
      expected_capabilities: expected.capabilities,
      capabilities: target.capabilities,
    },
  });
}

interface Source {
  readonly draft: DraftManifestRow;
  readonly analyses: readonly string[];
}

async function requireSource(
  handle: Handle,
  project: ProjectRow,
  oldRef: string,
  expected: string,
): Promise<Source> {
  const draft = await findDraft(handle, project.id, oldRef);
  const analyses = await listLinkedAnalyses(handle, project.id, oldRef);
  const details = { old_ref: oldRef };
  if (draft === undefined || analyses.length === 0) {
    throw refuse('reassociation_source_not_found', { details });
  }
  if (draft.last_known_revision === null) {
    throw refuse('reassociation_source_revision_unknown', { details });
  }
  if (draft.last_known_revision !== expected) {
    throw staleDraft(oldRef, expected, draft.last_known_revision);
  }
  return { draft, analyses };
}

/** Registers the new ref like the old one and lets analyses and history follow, in the caller's transaction. */
export async function carryOver(
  deps: Pick<StudioDeps, 'timestamp'>,
  trx: Handle,
  source: Source,
  target: { ref: string; revision: string; registered_by: string },
): Promise<void> {
  const { draft, analyses } = source;
  const now = deps.timestamp();
  await insertDraft(trx, {
    ...draft,
    ref: target.ref,
    registered_at: now,
    registered_by: target.registered_by,
    last_known_revision: target.revision,
  });
  await linkAnalyses(trx, draft.project_id, target.ref, analyses, now);
  await moveVersions(trx, draft.project_id, draft.ref, target.ref);
}

/** Lets the analyses of a file that was moved outside follow its bytes; order of studio.md 6.5. */
export async function reassociate(
  deps: StudioDeps,
  member: Member,
  input: ReassociationInput,
): Promise<DraftReassociationView> {
  const { project, principal } = member;
  const oldRef = requireRef(input.old_ref);
  const newRef = requireRef(input.new_ref);
  if (oldRef === newRef) throw sameRef();
  return deps.locks.run(project.id, async () => {
    await requireConfirmedRoot(deps.db, project);
    const source = await requireSource(deps.db, project, oldRef, input.expected_revision);
    const content = await readTreeFile(project, newRef);
    if (content.revision !== input.expected_revision) {
      throw staleDraft(newRef, input.expected_revision, content.revision);
    }
    const target = await findDraft(deps.db, project.id, newRef);
    requireSameRegistration(newRef, source.draft, target);
    const carried = await listLinkedAnalyses(deps.db, project.id, newRef);
    const complete = source.analyses.every((id) => carried.includes(id));
    if (target === undefined || !complete) {
      const exposure = await readExposure(deps.db, project);
      if (exposure.exposure_digest !== input.exposure_digest) throw refuse('exposure_stale');
      await inTransaction(deps.db, async (trx) => {
        const place = { ref: newRef, revision: content.revision, registered_by: principal.id };
        await carryOver(deps, trx, source, place);
        await recordAct(deps, trx, member, 'reassociate_draft', {
          old_ref: oldRef,
          new_ref: newRef,
        });
      });
    }
    const analysisIds = await listLinkedAnalyses(deps.db, project.id, newRef);
    return { analysis_ids: analysisIds, new_ref: newRef, old_ref: oldRef };
  });
}
