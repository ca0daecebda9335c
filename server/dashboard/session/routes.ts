import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '../../contract/dashboard/session.ts';
import { type Answer, answer } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { refuse } from '../refusals.ts';
import { clearedCookie } from './cookies.ts';
import type { Redirect } from './sign-in-port.ts';

function redirect(reply: FastifyReply, status: number, to: Redirect): Answer<undefined> {
  for (const cookie of to.cookies) void reply.header('set-cookie', cookie);
  return answer(undefined, { status, headers: { location: to.location } });
}

/** A browser that came by itself shows people no envelope; the gateway leads its own back. */
function isPerson({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && (headers.accept ?? '').includes('text/html');
}

/** Where the window says why a sign-in failed. */
function failurePage({ code, details }: Refusal): string {
  const told = details?.['provider_error'] === undefined ? code : 'provider_refused';
  return `/sign-in?${new URLSearchParams({ service: 'dashboard', error: told })}`;
}

/** Binds who-am-I, signing out, and in oidc mode signing in. */
export function registerSessionRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  const { signIn } = deps;
  /** A step of a sign-in; a person whose step fails is led to the window, where it is served. */
  const step = async (
    raw: FastifyRequest,
    reply: FastifyReply,
    status: number,
    go: () => Promise<Redirect>,
  ): Promise<Answer<undefined>> => {
    try {
      return redirect(reply, status, await go());
    } catch (error) {
      if (!(error instanceof Refusal && deps.servesWindow && isPerson(raw))) throw error;
      deps.log.warn({ code: error.code }, 'a sign-in failed');
      return redirect(reply, status, { location: failurePage(error), cookies: [] });
    }
  };
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
  app.implement(contract.login, async (_input, { raw, reply }) => {
    if (signIn === undefined) throw refuse('not_found');
    return step(raw, reply, 302, () => signIn.start());
  });
  app.implement(contract.callback, async ({ query }, { raw, reply }) => {
    if (signIn === undefined) throw refuse('not_found');
    return step(raw, reply, 303, () => signIn.finish(query, raw));
  });
}
