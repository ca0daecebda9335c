import type { DraftCapabilities } from '../../contract/studio/drafts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { RegisteredFiles } from '../../contract/studio/tree.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoot } from '../drafts/draft-files.ts';
import { insertDraft, listDraftRows } from '../drafts/drafts-repository.ts';
import { foldsCase } from '../drafts/register-draft.ts';
import { readExposure, requireConfirmedRoot } from '../exposure/exposure.ts';
import { canonicalRef, isGenerated } from '../files/canonical-ref.ts';
import { readRevisions } from '../files/tree-files.ts';

interface Sorted {
  /** What is registered now, by revision. */
  readonly fresh: ReadonlyMap<string, string>;
  readonly refused: readonly string[];
}

async function sortOut(
  deps: StudioDeps,
  project: ProjectRow,
  paths: readonly string[],
): Promise<Sorted> {
  const key = (ref: string): string => (foldsCase() ? ref.toLowerCase() : ref);
  const rows = await listDraftRows(deps.db, project.id);
  const known = new Map(rows.map((row) => [key(row.ref), row.ref]));
  const wanted = new Map<string, string>();
  const refused: string[] = [];
  for (const path of paths) {
    const ref = canonicalRef(path);
    const twin = ref === undefined ? undefined : (known.get(key(ref)) ?? wanted.get(key(ref)));
    if (ref === undefined || isGenerated(ref) || (twin !== undefined && twin !== ref)) {
      refused.push(path);
    } else if (twin === undefined) wanted.set(key(ref), ref);
  }
  const fresh = await readRevisions(project.root, [...wanted.values()]);
  for (const ref of wanted.values()) if (!fresh.has(ref)) refused.push(ref);
  return { fresh, refused };
}

/**
 * Makes files of the tree specs of the project, all in one transaction. Those that are drafts
 * already stay as they are; those that could be none are told.
 */
export async function registerFiles(
  deps: StudioDeps,
  member: Member,
  input: {
    readonly paths: readonly string[];
    readonly capabilities: DraftCapabilities;
    readonly exposure_digest: string;
  },
): Promise<RegisteredFiles> {
  const { project, principal } = member;
  const { capabilities } = input;
  return deps.locks.run(project.id, async () => {
    const exposure = await readExposure(deps.db, project);
    if (exposure.exposure_digest !== input.exposure_digest) throw refuse('exposure_changed');
    await requireConfirmedRoot(deps.db, project);
    await requireRoot(project);
    const { fresh, refused } = await sortOut(deps, project, input.paths);
    const kind = 'spec';
    await inTransaction(deps.db, async (trx) => {
      for (const [ref, revision] of fresh) {
        await insertDraft(trx, {
          project_id: project.id,
          ref,
          kind,
          capabilities,
          origin: 'authored',
          registered_at: deps.timestamp(),
          registered_by: principal.id,
          last_known_revision: revision,
        });
        await recordAct(deps, trx, member, 'register_draft', { ref, kind, capabilities });
      }
    });
    return { registered: [...fresh.keys()].sort(), refused: [...refused] };
  });
}
