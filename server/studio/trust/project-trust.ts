import { refuse } from '../../contract/studio/errors.ts';
import type { TrustView } from '../../contract/studio/trust.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoot } from '../drafts/draft-files.ts';
import { followTrust } from './follow-trust.ts';

const DEFAULT_PROJECT = 'default';

function isTrusted({ trust }: StudioDeps, project: Pick<ProjectRow, 'id' | 'root'>) {
  if (trust === undefined) return undefined;
  if (trust.defaultTrusted && project.id === DEFAULT_PROJECT) return 'start';
  return trust.folders.has(project.root) ? 'list' : undefined;
}

/** Where the code of a project is and whether it may run. */
export function trustOf(deps: StudioDeps, project: ProjectRow): TrustView {
  if (deps.trust?.isHere() !== true) return { state: 'unavailable', by: null, folder: null };
  const by = isTrusted(deps, project) ?? null;
  return { state: by === null ? 'untrusted' : 'trusted', by, folder: project.root };
}

/** Puts a project's folder on the list of trusted folders, or takes it off. */
export async function setTrust(
  deps: StudioDeps,
  member: Member,
  trusted: boolean,
): Promise<TrustView> {
  const { project } = member;
  const { trust } = deps;
  if (trust?.isHere() !== true) throw refuse('trust_unavailable');
  if (!trusted && isTrusted(deps, project) === 'start') throw refuse('trust_given_at_start');
  await requireRoot(project);
  await deps.locks.run(project.id, async () => {
    if (trusted) trust.folders.add(project.root, deps.timestamp());
    else trust.folders.remove(project.root);
    await inTransaction(deps.db, async (trx) => {
      await followTrust(deps, trx);
      await recordAct(deps, trx, member, trusted ? 'trust_project' : 'revoke_trust');
    });
  });
  return trustOf(deps, project);
}
