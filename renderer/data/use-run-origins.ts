import { keepPreviousData, useQueries } from '@tanstack/react-query';
import {
  listRunOrigins,
  type RunOrigin,
  TEST_RUN_SESSION,
} from '../../server/contract/studio/test-runs.ts';
import { routeQuery } from './query-client.ts';
import { isServed } from './served.ts';

/** Where runs come from, by their session. */
export type RunOrigins = ReadonlyMap<string, RunOrigin>;

const CHUNK = 100;

/** Project, artifact and draft of the runs of these sessions, as far as the studio knows them. */
export function useRunOrigins(sessions: readonly (string | null | undefined)[]): RunOrigins {
  const own = [...new Set(sessions)].filter(
    (session) => session?.startsWith(TEST_RUN_SESSION) === true,
  );
  const chunks = Array.from({ length: Math.ceil(own.length / CHUNK) }, (_, at) =>
    own.slice(at * CHUNK, (at + 1) * CHUNK).join(','),
  );
  return useQueries({
    queries: chunks.map((session_ids) => ({
      ...routeQuery(listRunOrigins, { query: { session_ids } }),
      staleTime: 60_000,
      retry: false,
      enabled: isServed('studio'),
      placeholderData: keepPreviousData,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) => data ?? []).map((origin) => [origin.session_id, origin]),
      ),
  });
}
