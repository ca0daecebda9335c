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
