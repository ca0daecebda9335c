import { z } from 'zod';

/** What the served page says of the address that it came from. */
export const served = z.object({
  /** Who answers at the page's own address. The gateway answers for all, below a prefix for each. */
  service: z.enum(['gateway', 'dashboard', 'studio']),
  /** How a browser shows who asks; at the gateway `getSignInWays` says it. */
  sign_in: z.enum(['none', 'key', 'static', 'oidc']),
  /** The identity provider's name for people. */
  provider: z.string().nullable(),
});

export type Served = z.output<typeof served>;

/** The name of the page's `meta` element that holds a `Served` as JSON; none = the gateway's. */
export const SERVED_META = 'specwright-served';

/**
 * First segments that belong to programs at one of the addresses. The window has no place below
 * them, and no page is answered there.
 */
const OF_PROGRAMS: ReadonlySet<string> = new Set([
  'api',
  'assets',
  'dashboard',
  'gateway',
  'metrics',
  'platform',
  'studio',
  'v1',
]);

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/**
 * True for a path that programs ask, at whichever address it is served; however it is written, with
 * escaped letters, capitals or more slashes than one.
 */
export function isProgramPath(pathname: string): boolean {
  const segments = decoded(pathname).split(/[/\\]/);
  const first = segments.find((segment) => segment !== '' && segment !== '.');
  return OF_PROGRAMS.has(first?.toLowerCase() ?? '');
}
