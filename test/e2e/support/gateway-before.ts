import path from 'node:path';
import type { Target } from '../../../server/gateway/connection.ts';
import { type RunningGateway, startGateway } from '../../../server/gateway/gateway.ts';
import type { Log } from '../../../server/kernel/log.ts';
import { randomIds, systemClock } from '../../../server/runtime/system-clock.ts';
import { idleDesk, noTrustedFolders } from '../../support/idle-desk.ts';
import { noRemotes } from '../../support/remote-world.ts';

const quiet: Log = { info() {}, warn() {}, error() {} };
const uiFolder = path.resolve(import.meta.dirname, '../../../out/renderer');

/** The gateway with the built window, before a dashboard and a platform of other processes. */
export function gatewayBefore(targets: {
  readonly dashboard: Target;
  readonly platform: Target;
}): Promise<RunningGateway> {
  return startGateway({
    host: '127.0.0.1',
    port: 0,
    uiFolder,
    window: undefined,
    allowedHosts: [],
    linkKeys: [],
    limits: { linkMs: 60_000, idleMs: 3_600_000, lifeMs: 3_600_000 },
    clock: systemClock(),
    ids: randomIds(),
    version: '0.0.0',
    log: quiet,
    modelKeys: {
      here: false,
      list: async () => ({ here: false, keeper: 'file', keys: [] }),
      mayHold: () => false,
      put: async () => {
        throw new Error('no key is stored here');
      },
      remove: async () => false,
    },
    secrets: idleDesk,
    trustedFolders: noTrustedFolders,
    remotes: noRemotes,
    connection: { id: 'far', name: 'Another computer', kind: 'remote', targets },
  });
}
