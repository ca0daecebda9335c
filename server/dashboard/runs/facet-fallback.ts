import { listRuns } from '../../contract/platform/runs.ts';
import type { CallOptions, PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { Query } from '../../platform-client/route-url.ts';
import { type RunPage, readRunPage } from '../platform-answers.ts';

/** Facets that an older platform does not know, newest first. */
const TIERS: readonly (readonly string[])[] = [
  ['q'],
  ['has_error', 'workflow_kind', 'workflow_name', 'created_after', 'created_before'],
];

/** True when the platform refused a query parameter that it does not know. */
export function isUnknownParameter(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  const status = error.status === 422 || error.status === 400;
  return status && error.code === 'unknown_query_parameters';
}

function isSet(query: Query, name: string): boolean {
  return query[name] !== undefined;
}

/** The list, the facets that worked and the names of those that had to be dropped. */
export interface FacetedList {
  readonly body: RunPage;
  readonly facets: Query;
  readonly unsupported: readonly string[];
  /** How far the platform counts; absent where it always counts all. */
  readonly counted: Query;
}

/**
 * Lists runs; facets that the platform refuses as unknown are dropped tier by tier and named
 * (contract/dashboard.md 9). A platform that does not know how to end a count early counts all.
 */
export async function listWithFallback(
  platform: PlatformClient,
  facets: Query,
  rest: Query,
  options: Pick<CallOptions, 'signal' | 'headers'>,
): Promise<FacetedList> {
  let kept = facets;
  const dropped: string[] = [];
  const tiers = [...TIERS];
  const { count_to: countTo, ...others } = rest;
  let counted: Query = countTo === undefined ? {} : { count_to: countTo };
  for (;;) {
    try {
      const query = { ...kept, ...others, ...counted };
      const body = await platform.read(listRuns, readRunPage, { query }, options);
      return { body, facets: kept, unsupported: dropped.sort(), counted };
    } catch (error) {
      if (!isUnknownParameter(error)) throw error;
      if (isSet(counted, 'count_to')) {
        counted = {};
        continue;
      }
      const at = tiers.findIndex((tier) => tier.some((name) => isSet(kept, name)));
      if (at < 0) throw error;
      const gone = tiers.splice(0, at + 1).flat();
      dropped.push(...gone.filter((name) => isSet(kept, name)));
      kept = Object.fromEntries(Object.entries(kept).filter(([name]) => !gone.includes(name)));
    }
  }
}
