import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';

/**
 * A number that is another one once any other connection has committed, of this process or not. It
 * stands in memory that the connections share: no page of the store is read.
 */
export function commitsOfOthers(
  store: Pick<Database<PlatformTables>, 'sqlite'>,
): () => number | undefined {
  const version = store.sqlite
    .prepare<[], number>('SELECT data_version FROM pragma_data_version')
    .pluck();
  return () => version.get();
}
