import { rerunRun } from '../contract/platform/client-routes.ts';
import { getHealthz, getLivez, getReadyz } from '../contract/platform/probes.ts';
import { rerunState } from '../contract/platform/rerun.ts';
import * as reads from '../contract/platform/run-reads.ts';
import { getRun } from '../contract/platform/runs.ts';
import type { Route } from '../contract/route.ts';

/** What a route of the platform wants of an operator of the dashboard. */
export type PlatformRight =
  /** Nothing: it says only whether the platform answers. */
  | { readonly kind: 'open' }
  /** Any operator, or one with a capability. */
  | { readonly kind: 'operator'; readonly capability: string | undefined };

const PROBES: readonly Route[] = [getHealthz, getLivez, getReadyz];
/** What the window reads of a run at the platform itself. */
const READS: readonly Route[] = [
  getRun,
  rerunState,
  reads.getRecovery,
  reads.getReplay,
  reads.getRunGraph,
  reads.getRunPolicyReport,
  reads.getTrace,
  reads.getRunItems,
  reads.listCheckpoints,
  reads.diffCheckpoints,
];

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[\\w.:~%-]+')}$`);
}

const RIGHTS = [
  ...PROBES.map((route) => ({ route, right: { kind: 'open' } as const })),
  ...READS.map((route) => ({
    route,
    right: { kind: 'operator', capability: undefined } as const,
  })),
  { route: rerunRun, right: { kind: 'operator', capability: 'run.control' } as const },
].map(({ route, right }) => ({ method: route.method, pattern: patternOf(route), right }));

/**
 * What somebody who signed in at the dashboard needs for a request to the platform. Undefined: it is
 * for the program's owner; everybody else has the dashboard for it, which knows environments and
 * writes down who did it.
 */
export function platformRightOf(method: string, target: string): PlatformRight | undefined {
  const path = target.split('?')[0] ?? '/';
  const asked = method === 'HEAD' ? 'GET' : method;
  return RIGHTS.find((one) => one.method === asked && one.pattern.test(path))?.right;
}
