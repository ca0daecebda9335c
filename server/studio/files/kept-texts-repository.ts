import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { KeptTextRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';
import { sha256 } from './sha256.ts';
import type { FileContent } from './tree-files.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** The bytes of a file as the store keeps them. */
export async function packText(
  projectId: string,
  { bytes, revision }: Pick<FileContent, 'bytes' | 'revision'>,
): Promise<KeptTextRow> {
  const packed = await deflate(bytes);
  return { project_id: projectId, revision, size: bytes.length, packed };
}

/** Keeps packed bytes; those that are kept already stay. */
export async function storeText(handle: Handle, row: KeptTextRow): Promise<void> {
  await handle
    .insertInto('kept_text')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'revision']).doNothing())
    .execute();
}

/** Bytes that were kept; undefined when there are none, or others than their hash says. */
export async function readKeptText(
  handle: Handle,
  projectId: string,
  revision: string,
): Promise<Buffer | undefined> {
  const row = await handle
    .selectFrom('kept_text')
    .select(['packed', 'size'])
    .where('project_id', '=', projectId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const bytes = await inflate(row.packed, { maxOutputLength: row.size + 1 }).catch(() => undefined);
  return bytes !== undefined && sha256(bytes) === revision ? bytes : undefined;
}

/** Lets go of bytes that nothing names any more. */
export async function dropUnusedTexts(
  handle: Handle,
  projectId: string,
  revisions: readonly string[],
): Promise<void> {
  if (revisions.length === 0) return;
  await handle
    .deleteFrom('kept_text')
    .where('project_id', '=', projectId)
    .where('revision', 'in', revisions)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('trash_entry')
            .select('trash_entry.id')
            .whereRef('trash_entry.project_id', '=', 'kept_text.project_id')
            .whereRef('trash_entry.revision', '=', 'kept_text.revision'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('draft_version')
            .select('draft_version.id')
            .whereRef('draft_version.project_id', '=', 'kept_text.project_id')
            .whereRef('draft_version.revision', '=', 'kept_text.revision'),
        ),
      ),
    )
    .execute();
}
