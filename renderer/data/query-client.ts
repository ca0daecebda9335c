import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { getGatewayStatus } from '../../server/contract/gateway/status.ts';
import type { ClientInput, Route, SuccessBody } from '../../server/contract/route.ts';
import { call } from './api-client.ts';
import { isRetryable, isSignedOut, isUnreached } from './api-error.ts';

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

/**
 * A read that failed behind the gateway asks at once which service is silent, for every part that
 * shows it.
 */
function onReadError(error: unknown): void {
  if (isUnreached(error) || isSignedOut(error)) {
    const key = routePrefix(getGatewayStatus);
    const asked = queryClient.getQueryState(routeKey(getGatewayStatus));
    const fresh = Date.now() - Math.max(asked?.dataUpdatedAt ?? 0, asked?.errorUpdatedAt ?? 0);
    if (fresh > ASKED_LATELY_MS) {
      void queryClient.invalidateQueries({ queryKey: key });
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
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** The window's one cache. */
export const queryClient = createQueryClient();
