import { z } from 'zod';
import type { RecordRepairRequest, RepairView } from '../../contract/studio/repairs.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { ProjectRow, RepairRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordBinding } from '../analyses/analysis-record.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { sha256 } from '../files/sha256.ts';
import { findRepair, listRepairRows, removeRepair, storeRepair } from './repairs-repository.ts';

const Payload = z.object({
  fix: z.string(),
  title: z.string(),
  values: z.record(z.string(), z.string()),
  workflows: z.array(z.string()),
});
type Payload = z.infer<typeof Payload>;

const MOST_WORKFLOWS = 5_000;

/** Undefined for one whose detail does not open: it is as good as not there. */
function open(deps: StudioDeps, row: RepairRow): Payload | undefined {
  const text = deps.keyring.open(row.payload, recordBinding(row.project_id, row.id));
  return text === undefined ? undefined : Payload.parse(JSON.parse(text));
}

function viewOf(row: RepairRow, payload: Payload): RepairView {
  const { id, cause, made_at } = row;
  return { id, cause, ...payload, made_at };
}

/** The repairs of a project, newest first. */
export async function listProjectRepairs(
  deps: StudioDeps,
  project: ProjectRow,
): Promise<RepairView[]> {
  const rows = await listRepairRows(deps.db, project.id);
  return rows.flatMap((row) => {
    const payload = open(deps, row);
    return payload === undefined ? [] : [viewOf(row, payload)];
  });
}

/** Remembers a repair; the same one in more workflows is one repair. */
export async function recordProjectRepair(
  deps: StudioDeps,
  member: Member,
  { cause, fix, title, values, workflows }: RecordRepairRequest,
): Promise<RepairView> {
  const { project, principal } = member;
  const id = sha256(canonicalJson({ cause, fix, values })).slice(0, 32);
  return inTransaction(deps.db, async (trx) => {
    const known = await findRepair(trx, project.id, id);
    const before = known === undefined ? [] : (open(deps, known)?.workflows ?? []);
    const all = [...new Set([...workflows, ...before])].slice(0, MOST_WORKFLOWS);
    const payload: Payload = { fix, title, values, workflows: all };
    const row: RepairRow = {
      project_id: project.id,
      id,
      cause,
      payload: deps.keyring.seal(JSON.stringify(payload), recordBinding(project.id, id)),
      made_at: deps.timestamp(),
      made_by: principal.id,
    };
    await storeRepair(trx, row);
    await recordAct(deps, trx, member, 'record_repair', {
      repair: id,
      cause,
      fix,
      workflows: workflows.length,
    });
    return viewOf(row, payload);
  });
}

/** Forgets a repair; the drafts keep what it made of them. */
export async function forgetProjectRepair(
  deps: StudioDeps,
  member: Member,
  id: string,
): Promise<void> {
  const { project } = member;
  await inTransaction(deps.db, async (trx) => {
    if (!(await removeRepair(trx, project.id, id))) return;
    await recordAct(deps, trx, member, 'forget_repair', { repair: id });
  });
}
