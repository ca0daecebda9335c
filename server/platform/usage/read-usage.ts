import {
  MAX_USAGE_DAYS,
  type UsageQuery,
  type UsageReport,
} from '../../contract/platform/usage.ts';
import { utcDay } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import { refuse } from '../refuse.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

function daysBefore(day: string, days: number): string {
  return utcDay(Date.parse(day) - days * DAY_MS);
}

/** @throws Refusal invalid_request for a span that is too long or ends before it begins */
export function readUsage(
  { usage, clock }: Pick<PlatformDeps, 'usage' | 'clock'>,
  query: UsageQuery,
): UsageReport {
  const to = query.to ?? utcDay(clock.now());
  const from = query.from ?? daysBefore(to, DEFAULT_DAYS - 1);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MAX_USAGE_DAYS) {
    throw refuse('invalid_request', {
      message: `from must be a day at or before to, and both at most ${MAX_USAGE_DAYS} days apart.`,
    });
  }
  const { key, workflow, model, limit } = query;
  const span = { from, to, key, workflow, model };
  const rows = usage.rows(span, query.group_by, limit + 1);
  const truncated = rows.length > limit;
  return { from, to, rows: rows.slice(0, limit), total: usage.total(span), truncated };
}

/** Forgets days that are older than SERV_USAGE_KEEP_DAYS. */
export async function forgetOldUsage({
  usage,
  clock,
  commits,
  config,
}: Pick<PlatformDeps, 'usage' | 'clock' | 'commits' | 'config'>): Promise<void> {
  const first = utcDay(clock.now() - config.usageKeepDays * DAY_MS);
  await commits.add(() => usage.removeBefore(first));
}
