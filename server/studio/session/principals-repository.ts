import type { PrincipalRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A principal in any state. */
export async function findPrincipal(handle: Handle, id: string): Promise<PrincipalRow | undefined> {
  return handle.selectFrom('principal').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a principal that is not there yet. */
export async function seedPrincipal(handle: Handle, row: PrincipalRow): Promise<void> {
  await handle
    .insertInto('principal')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Principals, oldest first, in any state or in one. */
export async function listPrincipalRows(
  handle: Handle,
  state: PrincipalRow['state'] | undefined,
): Promise<PrincipalRow[]> {
  const all = handle.selectFrom('principal').selectAll().orderBy('created_at').orderBy('id');
  return (state === undefined ? all : all.where('state', '=', state)).execute();
}

/** Principals of this subject, of any issuer or of one. */
export async function listBySubject(
  handle: Handle,
  subject: string,
  issuer: string | undefined,
): Promise<PrincipalRow[]> {
  const all = handle.selectFrom('principal').selectAll().where('subject', '=', subject);
  return (issuer === undefined ? all : all.where('issuer', '=', issuer)).execute();
}

/** The principal of somebody who signs in; subjects differ by case. */
export async function findByIdentity(
  handle: Handle,
  { issuer, subject }: Pick<PrincipalRow, 'issuer' | 'subject'>,
): Promise<PrincipalRow | undefined> {
  return (await listBySubject(handle, subject, issuer))[0];
}

/** Adds a principal. */
export async function insertPrincipal(handle: Handle, row: PrincipalRow): Promise<void> {
  await handle.insertInto('principal').values(row).execute();
}

/** Everything that one principal owns or carries goes to another; what it offered to others ends. */
export async function moveHoldings(handle: Handle, from: string, to: string): Promise<void> {
  await handle
    .updateTable('project')
    .set({ quota_principal_id: to })
    .where('quota_principal_id', '=', from)
    .execute();
  await handle
    .deleteFrom('project_member')
    .where('principal_id', '=', to)
    .where('project_id', 'in', (query) =>
      query.selectFrom('project_member').select('project_id').where('principal_id', '=', from),
    )
    .execute();
  await handle
    .updateTable('project_member')
    .set({ principal_id: to })
    .where('principal_id', '=', from)
    .execute();
  await handle
    .updateTable('invitation')
    .set({ state: 'revoked' })
    .where('created_by', '=', from)
    .where('state', '=', 'pending')
    .execute();
}

/** Lets a principal in or keeps it out. */
export async function setPrincipalState(
  handle: Handle,
  id: string,
  state: PrincipalRow['state'],
): Promise<void> {
  await handle.updateTable('principal').set({ state }).where('id', '=', id).execute();
}

/** Asks the store for a row, whichever: one that does not answer throws. */
export async function askStore(handle: Handle): Promise<void> {
  await handle.selectFrom('principal').select('id').limit(1).execute();
}
