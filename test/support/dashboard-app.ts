import { fileURLToPath } from 'node:url';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { type DashboardOptions, startDashboard } from '../../server/dashboard/service.ts';
import { randomIds, systemClock } from '../../server/runtime/system-clock.ts';
import { externalAt, onPostgres, TestDatabases } from './chosen-store.ts';

const databases = new TestDatabases('dashboard');

/**
 * A real dashboard over a platform, on a free port; its store is in memory unless a file is named, or
 * a database of the run's server, which the end of the run takes along.
 */
export async function startTestDashboard(
  platform: DashboardOptions['platform'],
  change: Partial<DashboardOptions> = {},
): ReturnType<typeof startDashboard> {
  const {
    databaseFile = ':memory:',
    config = readDashboardConfig({ DASH_DEV_MODE: '1', XDG_CONFIG_HOME: '/nonexistent' }),
  } = change;
  const external = onPostgres ? externalAt(await databases.of(databaseFile)) : undefined;
  return startDashboard({
    host: '127.0.0.1',
    port: 0,
    databaseFile,
    migrationsDir: fileURLToPath(new URL('../../migrations/dashboard', import.meta.url)),
    platform,
    clock: systemClock(),
    ids: randomIds(),
    log: { info() {}, warn() {}, error() {} },
    checkResponses: true,
    ...change,
    config: { ...config, external: config.external ?? external },
  });
}
