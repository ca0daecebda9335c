import type { Clock } from '../../kernel/clock.ts';
import { refuse } from '../refuse.ts';

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_BUCKETS = 10_000;

/**
 * One token bucket per principal; `perMinute` 0 never refuses (contract/platform.md 10.3).
 * The returned function takes the request out of the count.
 * @throws Refusal rate_limited with the seconds to the next token.
 */
export function createRateLimit(
  perMinute: number,
  clock: Clock,
): (principal: string) => () => void {
  const buckets = new Map<string, Bucket>();
  if (perMinute <= 0) return () => () => undefined;
  const perMs = perMinute / 60_000;
  return (principal) => {
    const now = clock.now();
    const bucket = buckets.get(principal) ?? { tokens: perMinute, at: now };
    bucket.tokens = Math.min(perMinute, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
    bucket.at = now;
    if (buckets.size >= MAX_BUCKETS) buckets.clear();
    buckets.set(principal, bucket);
    if (bucket.tokens < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000));
      throw refuse('rate_limited', { retryAfter });
    }
    bucket.tokens -= 1;
    return () => {
      bucket.tokens = Math.min(perMinute, bucket.tokens + 1);
    };
  };
}
