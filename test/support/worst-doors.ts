import { randomUUID } from 'node:crypto';
import { startGateway } from '../../server/gateway/gateway.ts';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from './dashboard-app.ts';
import { idleDesk, noTrustedFolders } from './idle-desk.ts';
import { noRemotes } from './remote-world.ts';

const common = {
  host: '127.0.0.1',
  port: 0,
  clock: { now: () => Date.now() },
  ids: { uuid: () => randomUUID(), hex: () => randomUUID().replaceAll('-', '') },
  log: { info() {}, warn() {}, error() {} },
};

/** The origin of the window that the gateway lets in; its token is the platform's key. */
export const WINDOW_ORIGIN = 'app://specwright';

/** A real dashboard over a platform. */
export function startWorstDashboard(platformUrl: string): Promise<RunningService> {
  return startTestDashboard({ url: platformUrl, apiKey: 'admin-key' }, { checkResponses: false });
}

/** A real gateway that forwards to a platform, with the dashboard that it asks for rights. */
export async function startWorstGateway(platformUrl: string): Promise<RunningService> {
  const dashboard = await startWorstDashboard(platformUrl);
  const gateway = await startGateway({
    ...common,
    uiFolder: '/nonexistent',
    window: { origin: WINDOW_ORIGIN, token: 'admin-key' },
    allowedHosts: [],
    linkKeys: [],
    limits: { linkMs: 60_000, idleMs: 3_600_000, lifeMs: 10_000_000 },
    version: '0.0.0',
    modelKeys: {
      here: false,
      list: async () => ({ here: false, keeper: 'file', keys: [] }),
      mayHold: () => false,
      put: () => Promise.reject(new Error('no key is stored here')),
      remove: async () => false,
    },
    secrets: idleDesk,
    trustedFolders: noTrustedFolders,
    remotes: noRemotes,
    connection: {
      id: 'worst',
      name: 'worst',
      kind: 'embedded',
      targets: {
        platform: { baseUrl: platformUrl, authorization: 'Bearer admin-key' },
        studio: { baseUrl: platformUrl },
        dashboard: { baseUrl: dashboard.url },
      },
    },
  });
  return {
    ...gateway,
    stop: async () => {
      await gateway.stop();
      await dashboard.stop();
    },
  };
}
