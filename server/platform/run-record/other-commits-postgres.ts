import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { OtherCommits } from './run-changes.ts';

/** By what the list tells of the watched runs; one that is looked at for the first time may be another. */
export function createOtherCommits({ db }: Pick<SyncStore<PlatformTables>, 'db'>): OtherCommits {
  let known = new Map<string, string>();
  return {
    begin() {
      known = new Map();
    },
    async look(runIds) {
      if (runIds.length === 0) return [];
      const rows = await db
        .selectFrom('run_list')
        .select(['run_id', 'updated_at', 'status', 'trace_event_count'])
        .where('run_id', 'in', runIds)
        .execute();
      const now = new Map(
        rows.map(({ run_id, ...facts }) => [run_id, Object.values(facts).join(' ')]),
      );
      const changed = runIds.filter((id) => now.get(id) !== known.get(id));
      known = now;
      return changed;
    },
  };
}
