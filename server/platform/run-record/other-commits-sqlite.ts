import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { OtherCommits } from './run-changes.ts';

/**
 * By a number that is another one once any other connection has committed, of this process or not. It
 * stands in memory that the connections share: no page of the store is read.
 */
export function createOtherCommits({
  sync,
}: Pick<SyncStore<PlatformTables>, 'sync'>): OtherCommits {
  const version = sync.prepare<[], number>('SELECT data_version FROM pragma_data_version').pluck();
  let known: number | undefined;
  return {
    begin() {
      known = version.get();
    },
    look(runIds) {
      const now = version.get();
      if (now === known) return [];
      known = now;
      return runIds;
    },
  };
}
