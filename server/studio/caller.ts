import type { Role } from '../contract/studio/fields.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { RequestContext } from '../http/http-profile.ts';
import type { PrincipalRow, ProjectRow } from '../store/studio-tables.ts';

/** Who asks, and in which project, as far as the route needs to know. */
export interface Caller {
  readonly principal: PrincipalRow | undefined;
  readonly membership: { readonly project: ProjectRow; readonly role: Role } | undefined;
}

/** The studio's routes. */
export type StudioApp = HttpApp<Caller>;
/** What a handler knows of its request. */
export type StudioContext = RequestContext<Caller>;

/** A member acting in a project. */
export interface Member {
  readonly principal: PrincipalRow;
  readonly project: ProjectRow;
  readonly role: Role;
}

/** The signed-in principal; authorization ran before, so its absence is a defect. */
export function principalOf(context: StudioContext): PrincipalRow {
  const { principal } = context.principal;
  if (principal === undefined) throw new TypeError('the route is not authenticated');
  return principal;
}

/** The caller as member of the route's project. */
export function memberOf(context: StudioContext): Member {
  const { membership } = context.principal;
  if (membership === undefined) throw new TypeError('the route is not authorized');
  return { principal: principalOf(context), ...membership };
}
