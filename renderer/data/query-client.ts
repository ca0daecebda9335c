import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { getHealth, getHealthz } from '../../server/contract/dashboard/probes.ts';
import { getGatewayStatus } from '../../server/contract/gateway/status.ts';
import type { ClientInput, Route, SuccessBody } from '../../server/contract/route.ts';
import { getReadiness } from '../../server/contract/studio/probes.ts';
import { call } from './api-client.ts';
import { isRetryable, isSignedOut, isUnanswered, isUnreached } from './api-error.ts';
import { every } from './failure-pace.ts';

/** Cache key of an operation's answer; a prefix (`[service, id]`) names all of its answers. */
export function routeKey<R extends Route>(
  route: R,
  input: ClientInput<R> = {},
): readonly [string, string, ClientInput<R>] {
  return [route.service, route.id, input];
}

/** Key prefix of every cached answer of the operation, for invalidation. */
export function routePrefix(route: Route): readonly [string, string] {
  return [route.service, route.id];
}

/** Query options of a read: `useQuery(routeQuery(listRuns, { query }))`. */
export function routeQuery<R extends Route>(route: R, input: ClientInput<R> = {}) {
  return queryOptions<SuccessBody<R>>({
    queryKey: routeKey(route, input),
    queryFn: ({ signal }) => call(route, input, { signal }),
  });
}

const MAX_RETRIES = 3;
const ASKED_LATELY_MS = 1_000;

/** Reads of which services answer, for the gateway's address and for those of single services. */
const STANDINGS = [getGatewayStatus, getHealthz, getHealth, getReadiness];

/** A read that failed asks at once which service is silent, for every part that shows it. */
function onReadError(error: unknown, { queryHash }: { readonly queryHash: string }): void {
  if (!isUnreached(error) && !isSignedOut(error) && !isUnanswered(error)) {
    return;
  }
  for (const query of queryClient.getQueryCache().findAll({ type: 'active' })) {
    const { dataUpdatedAt, errorUpdatedAt } = query.state;
    const isStanding = STANDINGS.some(
      ({ service, id }) => query.queryKey[0] === service && query.queryKey[1] === id,
    );
    const age = Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt);
    if (isStanding && query.queryHash !== queryHash && age > ASKED_LATELY_MS) {
      void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  }
}

/** The cache of all server state. Reads retry when the failure says that it may help; writes never. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: onReadError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < MAX_RETRIES && isRetryable(error),
        retryDelay: (attempt) => Math.min(4_000, 300 * 2 ** attempt),
        networkMode: 'always',
        refetchInterval: every(false),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** The window's one cache. */
export const queryClient = createQueryClient();
