import type { FastifyRequest } from 'fastify';
import type { Route } from '../../contract/route.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { Role } from '../../contract/studio/fields.ts';
import { isOneOf } from '../../http/same-secret.ts';
import { bearerOf } from '../../identity/request-bearer.ts';
import { isObject } from '../../kernel/json.ts';
import type { PrincipalRow } from '../../store/studio-tables.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Caller } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { findMembership } from '../projects/projects-repository.ts';
import { LOCAL_OWNER } from './known-principals.ts';
import { findPrincipal } from './principals-repository.ts';
import { principalOfSession } from './session-cookie.ts';
import { principalOfToken } from './token-entry.ts';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 };
const NOBODY: Caller = { principal: undefined, membership: undefined };

/** True when `role` may do what `minimum` may. */
function roleSuffices(role: Role, minimum: Role): boolean {
  return RANK[role] >= RANK[minimum];
}

function presentedKey(request: FastifyRequest): string {
  const header = request.headers['x-api-key'];
  if (typeof header === 'string') return header;
  const bearer = /^bearer\s+(\S.*)$/i.exec(request.headers.authorization ?? '');
  return bearer?.[1] ?? '';
}

/** The listener itself demands one of these keys when there are any (decisions 42, 44), probes excepted. */
export function requireListenerKey(
  keys: readonly string[],
  route: Route,
  request: FastifyRequest,
): void {
  if (keys.length === 0 || route.id === 'get_readiness') return;
  if (!isOneOf(presentedKey(request), keys)) {
    throw refuse('unauthenticated', { details: { auth_mode: 'none' } });
  }
}

async function authenticate(deps: StudioDeps, request: FastifyRequest): Promise<PrincipalRow> {
  const { mode } = deps.signIn;
  const token = bearerOf(request.headers);
  if (deps.signIn.mode === 'oidc' && deps.signIn.tokens !== undefined && token !== undefined) {
    return principalOfToken(deps, deps.signIn, deps.signIn.tokens, token);
  }
  if (mode !== 'none') {
    const person = await principalOfSession(deps, request);
    if (person === undefined) throw refuse('unauthenticated', { details: { auth_mode: mode } });
    return person;
  }
  const principal = await findPrincipal(deps.db, LOCAL_OWNER);
  if (principal === undefined || principal.state !== 'active') throw refuse('no_active_principal');
  return principal;
}

function minimumOf(route: Route): Role {
  const { access } = route;
  if (access === 'viewer' || access === 'editor' || access === 'owner') return access;
  throw new TypeError(`${route.id} declares no known access`);
}

/**
 * Who may use a route, decided before its body is read (studio.md 1.2): a caller who is no member
 * gets the answer of a project that does not exist; a role too low is written to the audit log.
 */
export async function authorize(
  deps: StudioDeps,
  route: Route,
  request: FastifyRequest,
): Promise<Caller> {
  if (route.access === null) return NOBODY;
  const principal = await authenticate(deps, request);
  if (route.access === 'session') return { principal, membership: undefined };
  const params: unknown = request.params;
  const projectId = isObject(params) ? params['project_id'] : undefined;
  if (typeof projectId !== 'string') throw new TypeError(`${route.id} has no project`);
  const membership = await findMembership(deps.db, projectId, principal.id);
  if (membership === undefined) throw refuse('project_not_found');
  if (!roleSuffices(membership.role, minimumOf(route))) {
    await recordDenial(deps, route, principal.id, projectId);
    throw refuse('forbidden');
  }
  return { principal, membership };
}

async function recordDenial(
  deps: StudioDeps,
  route: Route,
  principalId: string,
  projectId: string,
): Promise<void> {
  const action = route.meta['audit'];
  if (typeof action !== 'string') return;
  await recordAudit(deps, deps.db, {
    action,
    principal_id: principalId,
    project_id: projectId,
    outcome: 'denied',
  });
}

/** Looks again, inside the last transaction of a long operation, whether the caller may still do it. */
export async function requireStillMember(
  handle: Handle,
  projectId: string,
  principalId: string,
  minimum: Role,
): Promise<void> {
  const membership = await findMembership(handle, projectId, principalId);
  if (membership === undefined || !roleSuffices(membership.role, minimum)) {
    throw refuse('forbidden', { message: 'You are no longer an active member of this project.' });
  }
}
