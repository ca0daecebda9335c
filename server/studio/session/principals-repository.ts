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
