import { refuse } from '../../contract/studio/errors.ts';
import type { TransferView } from '../../contract/studio/members.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { QuotaTransferRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { PRINCIPAL_CAP } from '../artifacts/snapshots.ts';
import { chargedBytes } from '../artifacts/snapshots-repository.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { countCharged, findProject, setQuotaPrincipal } from '../projects/projects-repository.ts';
import { listMemberRows } from './members-repository.ts';
import {
  expireTransfers,
  findOpenTransfer,
  insertTransfer,
  setTransferState,
} from './quota-transfers-repository.ts';

const TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** The open transfer of a project, or null. */
export async function readTransfer(
  deps: StudioDeps,
  handle: Handle,
  projectId: string,
): Promise<TransferView | null> {
  await expireTransfers(handle, projectId, deps.timestamp());
  return (await findOpenTransfer(handle, projectId)) ?? null;
}

/** Offers the storage charge to another active member (studio.md 14). */
export async function proposeTransfer(
  deps: StudioDeps,
  member: Member,
  target: string,
): Promise<TransferView> {
  const { project, principal } = member;
  return inTransaction(deps.db, async (trx) => {
    const current = await findProject(trx, project.id);
    if (current?.quota_principal_id !== principal.id) throw refuse('not_the_quota_principal');
    if (target === principal.id) throw refuse('transfer_to_self');
    const members = await listMemberRows(trx, project.id);
    const found = members.find((row) => row.principal_id === target);
    if (found === undefined) throw refuse('target_not_a_member');
    if (found.state !== 'active') throw refuse('target_cannot_answer');
    if ((await readTransfer(deps, trx, project.id)) !== null) {
      throw refuse('transfer_already_proposed');
    }
    const row: QuotaTransferRow = {
      id: deps.ids.hex(),
      project_id: project.id,
      from_principal: principal.id,
      to_principal: target,
      state: 'proposed',
      proposed_at: deps.timestamp(),
      expires_at: toTimestamp(deps.clock.now() + TTL_MS),
    };
    await insertTransfer(trx, row);
    await recordAct(deps, trx, member, 'propose_quota_transfer', {
      transfer_id: row.id,
      to: target,
    });
    return row;
  });
}

async function moveCharge(deps: StudioDeps, trx: Handle, open: TransferView): Promise<void> {
  const project = await findProject(trx, open.project_id);
  if (project?.quota_principal_id !== open.from_principal) throw refuse('no_such_transfer');
  if ((await countCharged(trx, open.to_principal)) >= deps.config.projectLimit) {
    throw refuse('project_limit_reached');
  }
  const bytes = await chargedBytes(trx, { projectId: open.project_id });
  const held = await chargedBytes(trx, { principalId: open.to_principal });
  if (held + bytes > PRINCIPAL_CAP) throw refuse('target_quota_exceeded');
  await setQuotaPrincipal(trx, open.project_id, open.to_principal);
}

/** Accepts or declines an open transfer; only the person asked can. */
export async function answerTransfer(
  deps: StudioDeps,
  member: Member,
  id: string,
  answer: 'accepted' | 'declined',
): Promise<TransferView> {
  const { project, principal } = member;
  return inTransaction(deps.db, async (trx) => {
    const open = await readTransfer(deps, trx, project.id);
    if (open === null || open.id !== id) throw refuse('no_such_transfer');
    if (open.to_principal !== principal.id) throw refuse('not_the_transfer_target');
    if (answer === 'accepted') await moveCharge(deps, trx, open);
    await setTransferState(trx, id, answer);
    await recordAct(
      deps,
      trx,
      member,
      answer === 'accepted' ? 'accept_quota_transfer' : 'decline_quota_transfer',
      { transfer_id: id },
    );
    return { ...open, state: answer };
  });
}
