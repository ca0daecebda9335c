import { fileURLToPath } from 'node:url';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { type DashboardOptions, startDashboard } from '../../server/dashboard/service.ts';
import { randomIds, systemClock } from '../../server/runtime/system-clock.ts';

/** A real dashboard over a platform, on a free port; its store is in memory unless a file is named. */
export function startTestDashboard(
  platform: DashboardOptions['platform'],
  change: Partial<DashboardOptions> = {},
): ReturnType<typeof startDashboard> {
  return startDashboard({
    config: readDashboardConfig({ DASH_DEV_MODE: '1', XDG_CONFIG_HOME: '/nonexistent' }),
    host: '127.0.0.1',
    port: 0,
    databaseFile: ':memory:',
    migrationsDir: fileURLToPath(new URL('../../migrations/dashboard', import.meta.url)),
    platform,
    clock: systemClock(),
    ids: randomIds(),
    log: { info() {}, warn() {}, error() {} },
    checkResponses: true,
    ...change,
  });
}
