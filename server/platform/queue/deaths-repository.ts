import type { PlatformTables, RunDeathsTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

/** Runs in whose computation a service died. */
export interface RunDeaths {
  find(runId: string): RunDeathsTable | undefined;
  save(death: RunDeathsTable): void;
}

export function createRunDeaths(store: SyncStore<PlatformTables>): RunDeaths {
  const { sync } = store;
  const find = sync.prepare<[string], RunDeathsTable>('SELECT * FROM run_deaths WHERE run_id = ?');
  const save = sync.prepare<[RunDeathsTable]>(
    `INSERT INTO run_deaths (run_id, deaths, seq, died_at) VALUES (@run_id, @deaths, @seq, @died_at)
     ON CONFLICT (run_id) DO UPDATE SET
       deaths = excluded.deaths, seq = excluded.seq, died_at = excluded.died_at`,
  );
  return { find: (runId) => find.get(runId), save: (death) => void save.run(death) };
}
