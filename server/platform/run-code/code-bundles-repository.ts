import type { CommitQueue } from '../../store/commit-queue.ts';
import { byDialect, sqlOf } from '../../store/dialect.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import * as postgres from './code-content-postgres.ts';
import * as sqlite from './code-content-sqlite.ts';

/** The functions of runs in the store, each content once and never changed. */
export interface CodeBundles {
  /** Says that a run is about to name a content; false when the store has it not. */
  touch(sha256: string): Promise<boolean>;
  /** Stores a content, whole or not at all; one that is there stays. */
  put(sha256: string, content: Uint8Array): Promise<void>;
  content(sha256: string): Promise<Uint8Array | undefined>;
  has(sha256: string): boolean;
  /** Removes what no run names and none was about to name for so long; how many. */
  removeUnneeded(seconds: number): Promise<number>;
}

export function createCodeBundles(
  store: SyncStore<PlatformTables>,
  commits: CommitQueue,
): CodeBundles {
  const { sync } = store;
  const { DATABASE_NOW } = sqlOf(sync);
  const { putContent, readContent } = byDialect(sync, { sqlite, postgres });
  const touch = sync.prepare<[string]>(
    `UPDATE code_bundles SET used_at = ${DATABASE_NOW} WHERE sha256 = ?`,
  );
  const has = sync
    .prepare<[string], number>('SELECT count(*) FROM code_bundles WHERE sha256 = ?')
    .pluck();
  const remove = sync.prepare<[number]>(
    `DELETE FROM code_bundles WHERE used_at < ${DATABASE_NOW} - ?
       AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.code_bundle = code_bundles.sha256)`,
  );
  return {
    touch: (sha256) => commits.turn(() => touch.run(sha256).changes > 0),
    put: (sha256, content) => putContent(store, commits, sha256, content),
    content: (sha256) => readContent(store, sha256),
    has: (sha256) => has.get(sha256) === 1,
    removeUnneeded: (seconds) => commits.turn(() => remove.run(seconds).changes),
  };
}
