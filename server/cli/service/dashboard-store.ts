import path from 'node:path';
import { readDashboardConfig } from '../../dashboard/config.ts';
import { findAppFiles } from '../../host/app-root.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import type { DashboardTables } from '../../store/dashboard-tables.ts';
import { type Database, openDatabase } from '../../store/open-database.ts';
import { CommandFailure } from '../command-failure.ts';

/** The dashboard's store, with its file. @throws HostRefusal, StoreError, CommandFailure for a store that is no file */
export function openDashboardStore(
  data: string | undefined,
): Database<DashboardTables> & { readonly databaseFile: string } {
  const folder = chooseDataFolder(data, process.env);
  prepareDataFolder(folder);
  const config = readDashboardConfig(process.env);
  if (config.external !== undefined) {
    throw new CommandFailure(
      'not_implemented: this command works on a store that is a file, and the dashboard is set to ' +
        'keep its state in an external database.',
    );
  }
  const databaseFile = config.databaseFile ?? path.join(folder, 'dashboard.db');
  const store = openDatabase<DashboardTables>({
    name: 'dashboard',
    file: databaseFile,
    migrations: path.join(findAppFiles().migrations, 'dashboard'),
    now: () => Date.now(),
  });
  return { ...store, databaseFile };
}
