import type { DraftVersionRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A version with the size of its bytes and the name of who saved it. */
export type ShownVersionRow = DraftVersionRow & {
  readonly size: number;
  readonly saver: string | null;
};

/** Texts that a draft had, newest first. */
export async function listVersions(
  handle: Handle,
  projectId: string,
  ref: string,
): Promise<ShownVersionRow[]> {
  return handle
    .selectFrom('draft_version')
    .innerJoin('kept_text', (join) =>
      join
        .onRef('kept_text.project_id', '=', 'draft_version.project_id')
        .onRef('kept_text.revision', '=', 'draft_version.revision'),
    )
    .leftJoin('principal', 'principal.id', 'draft_version.saved_by')
    .selectAll('draft_version')
    .select(['kept_text.size', 'principal.display_name as saver'])
    .where('draft_version.project_id', '=', projectId)
    .where('draft_version.ref', '=', ref)
    .orderBy('draft_version.id', 'desc')
    .execute();
}

/** All versions of a draft. */
export async function listKept(
  handle: Handle,
  projectId: string,
  ref: string,
): Promise<Pick<DraftVersionRow, 'id' | 'revision'>[]> {
  return handle
    .selectFrom('draft_version')
    .select(['id', 'revision'])
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .execute();
}

/**
 * Versions without a name beyond the newest `most` of them, or beyond `mostBytes` of them together;
 * never the newest. Oldest first.
 */
export async function listSurplus(
  handle: Handle,
  projectId: string,
  ref: string,
  { most, mostBytes }: { most: number; mostBytes: number },
): Promise<Pick<DraftVersionRow, 'id' | 'revision'>[]> {
  const unnamed = handle
    .selectFrom('draft_version')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where('name', 'is', null);
  const all = await unnamed
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('bytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  let [count, bytes] = [all.count, all.bytes ?? 0];
  if (count <= most && bytes <= mostBytes) return [];
  const surplus: Pick<DraftVersionRow, 'id' | 'revision'>[] = [];
  const oldest = await unnamed
    .select(['id', 'revision', 'bytes'])
    .orderBy('id')
    .limit(bytes > mostBytes ? count - 1 : count - most)
    .execute();
  for (const row of oldest) {
    if (count <= most && bytes <= mostBytes) break;
    surplus.push({ id: row.id, revision: row.revision });
    count -= 1;
    bytes -= row.bytes;
  }
  return surplus;
}

/** The revision of a draft's newest version. */
export async function latestRevision(
  handle: Handle,
  projectId: string,
  ref: string,
): Promise<string | undefined> {
  const row = await handle
    .selectFrom('draft_version')
    .select('revision')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.revision;
}

/** One version of a draft of the project. */
export async function findVersion(
  handle: Handle,
  projectId: string,
  id: number,
): Promise<DraftVersionRow | undefined> {
  return handle
    .selectFrom('draft_version')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Adds a version after the others. */
export async function insertVersion(
  handle: Handle,
  row: Omit<DraftVersionRow, 'id'>,
): Promise<void> {
  await handle.insertInto('draft_version').values(row).execute();
}

/** Names a version, or takes its name away. */
export async function setVersionName(
  handle: Handle,
  id: number,
  name: string | null,
): Promise<void> {
  await handle.updateTable('draft_version').set({ name }).where('id', '=', id).execute();
}

/** Lets go of versions; their bytes stay where they are kept. */
export async function removeVersions(handle: Handle, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await handle.deleteFrom('draft_version').where('id', 'in', ids).execute();
}

/** Lets the versions of a draft follow it to another path. */
export async function moveVersions(
  handle: Handle,
  projectId: string,
  from: string,
  to: string,
): Promise<void> {
  await handle
    .updateTable('draft_version')
    .set({ ref: to })
    .where('project_id', '=', projectId)
    .where('ref', '=', from)
    .execute();
}
