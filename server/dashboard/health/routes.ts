import * as own from '../../contract/dashboard/own-facts.ts';
import * as contract from '../../contract/dashboard/probes.ts';
import { answer } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { inRecovery } from '../recovery/recovery-repository.ts';
import { getHealth } from './get-health.ts';
import { getOwnFacts, signInSettings } from './own-facts.ts';

interface Readiness {
  readonly store: boolean;
  readonly recovery_mode: boolean;
}

/** A store that fails reports no recovery; one on a full disk is read, but not ready. */
async function readiness(deps: DashboardDeps): Promise<Readiness> {
  try {
    const recovery_mode = await inRecovery(deps.db);
    return { store: await deps.store.hasRoom(), recovery_mode };
  } catch (error) {
    deps.log.error({ err: error }, 'the store does not answer');
    return { store: false, recovery_mode: false };
  }
}

/** Binds the dashboard's own probes and the platform's health. */
export function registerHealthRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.getLivez, () => ({ status: 'ok' as const }));
  app.implement(contract.getReadyz, async () => {
    const checks = await readiness(deps);
    const ready = checks.store && !checks.recovery_mode;
    return answer(
      { status: ready ? ('ready' as const) : ('not_ready' as const), checks },
      { status: ready ? 200 : 503 },
    );
  });
  app.implement(contract.getHealthz, async () => {
    const checks = await readiness(deps);
    const oidc = deps.config.authMode === 'oidc' ? ('configured' as const) : ('disabled' as const);
    return {
      live: true,
      ready: checks.store && !checks.recovery_mode,
      checks: { ...checks, oidc },
    };
  });
  app.implement(contract.getHealth, (_input, { principal, signal }) =>
    getHealth(deps, principal, signal),
  );
  app.implement(own.getOwnFacts, () => getOwnFacts(deps));
  app.implement(own.getSignInSettings, () => signInSettings(deps.config));
}
