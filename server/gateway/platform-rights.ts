import { getHealthz, getLivez, getReadyz } from '../contract/platform/probes.ts';

const PROBES: ReadonlySet<string> = new Set(
  [getHealthz, getLivez, getReadyz].map(({ path }) => `/v1${path}`),
);

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** True for what says only whether the platform answers. */
export function isProbe(method: string, target: string): boolean {
  return isRead(method) && PROBES.has(target.split('?')[0] ?? '/');
}

/** Who an operator is, as far as the platform's routes ask. */
export interface OperatorRights {
  readonly capabilities: readonly string[];
  /** The role is limited to some environments. */
  readonly isLimited: boolean;
}

/** Whoever may change who may do what may do everything. */
const EVERYTHING = 'settings.write';

/**
 * True when what an operator asks of the platform itself walks around nothing: the dashboard, which
 * knows environments and writes down who did what, would let them read everything, or do it.
 */
export function mayAskPlatform(method: string, operator: OperatorRights): boolean {
  if (operator.capabilities.includes(EVERYTHING)) return true;
  return isRead(method) && !operator.isLimited;
}
