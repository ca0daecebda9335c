import type { CommitQueue } from '../../store/commit-queue.ts';
import { sqlOf } from '../../store/dialect.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

type Store = SyncStore<PlatformTables>;

/** Stores a content in one statement of the only writer. */
export function putContent(
  { sync }: Store,
  commits: CommitQueue,
  sha256: string,
  content: Uint8Array,
): Promise<void> {
  const insert = sync.prepare<[string, Uint8Array]>(
    `INSERT INTO code_bundles (sha256, content, used_at)
     VALUES (?, ?, ${sqlOf(sync).DATABASE_NOW}) ON CONFLICT DO NOTHING`,
  );
  return commits.turn(() => void insert.run(sha256, content));
}

/** The content of that name. */
export async function readContent(
  { sync }: Store,
  sha256: string,
): Promise<Uint8Array | undefined> {
  return sync
    .prepare<[string], Uint8Array>('SELECT content FROM code_bundles WHERE sha256 = ?')
    .pluck()
    .get(sha256);
}
