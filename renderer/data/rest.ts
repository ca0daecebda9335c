import { type KeptRead, pauseOfFailure } from './failure-pace.ts';

interface Watched<Data> {
  readonly queryHash: string;
  readonly state: KeptRead['state'] & { readonly data: Data | undefined };
}

/** Answers that change are read this often. */
const BUSY_MS = 3_000;
/** Answers that have not changed for a while are read no more seldom than this. */
const REST_MS = 10_000;
/** An answer is left alone for a share of the time that it has stayed the same. */
const SHARE = 2;
/** So many reads are remembered. */
const MOST = 60;

/**
 * How long to wait before the next read of something that changes at times: often while it does,
 * seldom once it rests, so that an open window at rest asks for little; and sooner after a failure. `signOf` leaves out of an
 * answer what changes by itself, such as ages.
 */
export function restful<Data>(
  signOf: (data: Data) => unknown,
  limits: { readonly busy?: number; readonly rest?: number } = {},
  now: () => number = Date.now,
): (query: Watched<Data>) => number {
  const { busy = BUSY_MS, rest = REST_MS } = limits;
  const seen = new Map<string, { readonly sign: string; readonly since: number }>();
  return (query) => {
    const { queryHash, state } = query;
    const failed = pauseOfFailure(query);
    if (failed !== undefined || state.data === undefined) {
      return failed ?? busy;
    }
    const sign = JSON.stringify(signOf(state.data)) ?? '';
    const known = seen.get(queryHash);
    const since = known?.sign === sign ? known.since : now();
    seen.delete(queryHash);
    seen.set(queryHash, { sign, since });
    const [oldest] = seen.keys();
    if (seen.size > MOST && oldest !== undefined) {
      seen.delete(oldest);
    }
    return Math.min(rest, Math.max(busy, (now() - since) / SHARE));
  };
}
