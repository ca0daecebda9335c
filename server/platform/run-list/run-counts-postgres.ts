import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

const KEYS = 'day, status, workflow_kind, workflow_name, has_error';

/** Folds the changes of counts into those of their days; readers see the same before and after. */
export function createCountsFold({ sync }: SyncStore<PlatformTables>): () => void {
  const fold = sync.prepare<[]>(
    `WITH news AS (DELETE FROM run_count_changes RETURNING ${KEYS}, runs),
       old AS (DELETE FROM run_counts_folded WHERE day IN (SELECT day FROM news)
         RETURNING ${KEYS}, runs)
     INSERT INTO run_counts_folded (${KEYS}, runs)
     SELECT ${KEYS}, sum(runs) FROM (SELECT * FROM news UNION ALL SELECT * FROM old) AS counted
     GROUP BY ${KEYS} HAVING sum(runs) <> 0`,
  );
  return () => void fold.run();
}
