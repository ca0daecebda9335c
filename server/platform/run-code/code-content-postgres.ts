import { sql } from 'kysely';
import type { CommitQueue } from '../../store/commit-queue.ts';
import { sqlOf } from '../../store/dialect.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

type Store = SyncStore<PlatformTables>;

/** Stores a content in one statement, over a connection beside the event loop: it may be megabytes. */
export async function putContent(
  { db, sync }: Store,
  _commits: CommitQueue,
  sha256: string,
  content: Uint8Array,
): Promise<void> {
  const used_at = sql<number>`${sql.raw(sqlOf(sync).DATABASE_NOW)}`;
  await db
    .insertInto('code_bundles')
    .values({ sha256, content: Buffer.from(content), used_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The content of that name. */
export async function readContent({ db }: Store, sha256: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('code_bundles')
    .select('content')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.content;
}
