import * as contract from '../../contract/dashboard/session.ts';
import { answer } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { refuse } from '../refusals.ts';

function deletionCookie(name: string): string {
  return `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`;
}

/** Binds who-am-I and signing out; signing in exists in oidc mode only. */
export function registerSessionRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.getMe, (_input, { principal }) => ({
    identity: principal.identity,
    role: principal.role,
    capabilities: [...principal.capabilities].sort(),
    environments: principal.environments === null ? null : [...principal.environments].sort(),
    auth_mode: deps.config.authMode,
  }));
  app.implement(contract.logout, () =>
    answer(
      { status: 'logged_out' as const },
      { headers: { 'set-cookie': deletionCookie(deps.config.sessionCookie) } },
    ),
  );
  app.implement(contract.login, () => {
    throw refuse('not_found');
  });
  app.implement(contract.callback, () => {
    throw refuse('not_found');
  });
}
