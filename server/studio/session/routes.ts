import type { FastifyReply } from 'fastify';
import {
  finishOidcLogin,
  getMe,
  login,
  logout,
  startOidcLogin,
} from '../../contract/studio/session.ts';
import { type Answer, answer } from '../../http/answer.ts';
import { principalOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { meOf } from './me.ts';
import { finishOidc, type Redirect, startOidc } from './oidc-login.ts';
import { loginWithPassword } from './password-login.ts';
import { endOwnSession, giveCookie } from './session-cookie.ts';
import { loginUnavailable } from './sign-in.ts';

function redirectTo(reply: FastifyReply, { location, cookie }: Redirect): Answer<undefined> {
  if (cookie !== null) giveCookie(reply, cookie);
  return answer(undefined, { status: 302, headers: { location, 'cache-control': 'no-store' } });
}

/** Signing in and out, and who is signed in. */
export function registerSessionRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(getMe, (_input, context) => meOf(deps, principalOf(context)));
  app.implement(login, async ({ body }, context) => {
    const { me, cookie } = await loginWithPassword(deps, body, context.raw);
    giveCookie(context.reply, cookie);
    return me;
  });
  app.implement(logout, async (_input, context) => {
    if (deps.signIn.mode === 'none') throw loginUnavailable('none');
    giveCookie(context.reply, await endOwnSession(deps, context.raw));
    return undefined;
  });
  app.implement(startOidcLogin, async ({ query }, context) =>
    redirectTo(context.reply, await startOidc(deps, query.return_to, context.raw)),
  );
  app.implement(finishOidcLogin, async ({ query }, context) =>
    redirectTo(context.reply, await finishOidc(deps, query, context.raw)),
  );
}
