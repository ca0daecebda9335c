import { isLoopbackHost } from '../http/door-guard.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import type { DashboardConfig } from './config.ts';

/**
 * Refuses a start that would let anybody in (contract/dashboard.md 2, 5).
 * @throws StartRefusal with what to set.
 */
export function refuseUnsafeStart(config: DashboardConfig, host: string): void {
  if (config.authMode === 'oidc') return;
  if (!config.devMode) {
    throw new StartRefusal(
      'DASH_AUTH_MODE=static lets everybody in who can reach the address. Set DASH_DEV_MODE=1 to accept that.',
    );
  }
  if (!isLoopbackHost(host)) {
    throw new StartRefusal(
      'DASH_AUTH_MODE=static serves this machine only. Use 127.0.0.1 or localhost as DASH_HOST.',
    );
  }
}
