import path from 'node:path';
import { readDashboardConfig } from '../../dashboard/config.ts';
import { findAppFiles } from '../../host/app-root.ts';
import { chooseDataFolder, prepareDataFolder } from '../../host/data-folder.ts';
import type { DashboardTables } from '../../store/dashboard-tables.ts';
import { type Database, openDatabase } from '../../store/open-database.ts';

/** The dashboard's store, with its file. @throws HostRefusal, StoreError */
export function openDashboardStore(
  data: string | undefined,
): Database<DashboardTables> & { readonly databaseFile: string } {
  const folder = chooseDataFolder(data, process.env);
  prepareDataFolder(folder);
  const databaseFile =
    readDashboardConfig(process.env).databaseFile ?? path.join(folder, 'dashboard.db');
  const store = openDatabase<DashboardTables>({
    name: 'dashboard',
    file: databaseFile,
    migrations: path.join(findAppFiles().migrations, 'dashboard'),
    now: () => Date.now(),
  });
  return { ...store, databaseFile };
}
