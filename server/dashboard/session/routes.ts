import type { FastifyReply } from 'fastify';
import * as contract from '../../contract/dashboard/session.ts';
import { type Answer, answer } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { refuse } from '../refusals.ts';
import { clearedCookie } from './cookies.ts';
import type { Redirect } from './sign-in-port.ts';

function redirect(reply: FastifyReply, status: number, to: Redirect): Answer<undefined> {
  for (const cookie of to.cookies) void reply.header('set-cookie', cookie);
  return answer(undefined, { status, headers: { location: to.location } });
}

/** Binds who-am-I, signing out, and in oidc mode signing in. */
export function registerSessionRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  const { signIn } = deps;
  app.implement(contract.getMe, (_input, { principal }) => ({
    identity: principal.identity,
    role: principal.role,
    capabilities: [...principal.capabilities].sort(),
    environments: principal.environments === null ? null : [...principal.environments].sort(),
    auth_mode: deps.config.authMode,
  }));
  app.implement(contract.logout, async (_input, { raw }) => {
    await signIn?.end(raw);
    return answer(
      { status: 'logged_out' as const },
      { headers: { 'set-cookie': clearedCookie(deps.config.sessionCookie) } },
    );
  });
  app.implement(contract.login, async (_input, { reply }) => {
    if (signIn === undefined) throw refuse('not_found');
    return redirect(reply, 302, await signIn.start());
  });
  app.implement(contract.callback, async ({ query }, { raw, reply }) => {
    if (signIn === undefined) throw refuse('not_found');
    return redirect(reply, 303, await signIn.finish(query, raw));
  });
}
