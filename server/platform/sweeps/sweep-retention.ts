import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import type { RetentionReport } from '../service-options.ts';

const DAY_MS = 86_400_000;

interface Removal {
  readonly count: keyof RetentionReport;
  readonly days: number | undefined;
  readonly from: string;
  readonly where: string;
  readonly values: readonly string[];
  readonly epoch?: boolean;
  /** The last placeholder is the cutoff as well. */
  readonly cutoffAgain?: boolean;
}

function placeholders(values: readonly string[]): string {
  return values.map(() => '?').join(', ');
}

const OVER = "('completed','failed','cancelled','expired','timed_out')";

/**
 * Checkpoints are stored as differences that begin anew with each leg of a run: of a leg that reaches
 * past the cutoff all stay until all of it may go.
 */
const NEXT_WHOLE = `coalesce((SELECT max(whole.sequence) FROM checkpoints whole
  WHERE whole.run_id = checkpoints.run_id AND whole.snapshot LIKE '{"full":%'
    AND whole.sequence <= (SELECT min(young.sequence) FROM checkpoints young
      WHERE young.run_id = checkpoints.run_id AND young.created_at >= ?)), 9e15)`;

/** Rows in the order of one pass; `?` first is the cutoff. */
function removals(deps: PlatformDeps): Removal[] {
  const { retention } = deps.config;
  return [
    {
      count: 'checkpoints',
      days: retention.checkpoints,
      from: 'checkpoints',
      where: `created_at < ? AND run_id IN (SELECT id FROM runs WHERE status IN ${OVER})
        AND sequence < ${NEXT_WHOLE}`,
      values: [],
      cutoffAgain: true,
    },
    {
      count: 'queue_records',
      days: retention.queue,
      from: 'run_queue',
      where: `updated_at < ? AND status IN (${placeholders(retention.queueStatuses)})`,
      values: retention.queueStatuses,
      epoch: true,
    },
    {
      count: 'runs',
      days: retention.runs,
      from: 'runs',
      where: `updated_at < ? AND status IN (${placeholders(retention.runStatuses)})`,
      values: retention.runStatuses,
    },
    {
      count: 'audit_events',
      days: retention.audit,
      from: 'audit_events',
      where: 'created_at < ?',
      values: [],
    },
    {
      count: 'idempotency_records',
      days: retention.idempotency,
      from: 'idempotency_records',
      where: 'updated_at < ?',
      values: [],
    },
    {
      count: 'continuations',
      days: retention.continuations,
      from: 'continuations',
      where: `updated_at < ? AND run_id NOT IN (SELECT id FROM runs WHERE status = 'blocked')`,
      values: [],
    },
  ];
}

function removeRows(deps: PlatformDeps, removal: Removal, days: number, dryRun: boolean): number {
  const { sqlite } = deps.store;
  const cutoffMs = deps.clock.now() - days * DAY_MS;
  const cutoff = removal.epoch === true ? cutoffMs / 1000 : toTimestamp(cutoffMs);
  const values = [cutoff, ...removal.values, ...(removal.cutoffAgain === true ? [cutoff] : [])];
  const counted = sqlite
    .prepare<(string | number)[], { n: number }>(
      `SELECT count(*) AS n FROM ${removal.from} WHERE ${removal.where}`,
    )
    .get(...values);
  if (dryRun) return counted?.n ?? 0;
  if (removal.from === 'runs') {
    sqlite
      .prepare<(string | number)[]>(
        `DELETE FROM audit_events WHERE run_id IN (SELECT id FROM runs WHERE ${removal.where})`,
      )
      .run(...values);
  }
  return sqlite
    .prepare<(string | number)[]>(`DELETE FROM ${removal.from} WHERE ${removal.where}`)
    .run(...values).changes;
}

/** Removes files last changed before the cutoff and folders that this leaves empty. */
async function removeFiles(folder: string, cutoffMs: number, dryRun: boolean): Promise<number> {
  let removed = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      removed += await removeFiles(file, cutoffMs, dryRun);
      if (!dryRun && (await readdir(file)).length === 0) await rmdir(file);
    } else if (entry.isFile() && (await stat(file)).mtimeMs < cutoffMs) {
      removed += 1;
      if (!dryRun) await rm(file);
    }
  }
  return removed;
}

/** One retention pass in the order of contract/platform.md 12; a dry run only counts. */
export async function retainOnce(deps: PlatformDeps, dryRun: boolean): Promise<RetentionReport> {
  const report: RetentionReport = {
    runs: 0,
    checkpoints: 0,
    queue_records: 0,
    continuations: 0,
    audit_events: 0,
    idempotency_records: 0,
    artifacts: 0,
    logs: 0,
  };
  const pass = deps.store.sqlite.transaction(() => {
    for (const removal of removals(deps)) {
      if (removal.days === undefined) continue;
      report[removal.count] = removeRows(deps, removal, removal.days, dryRun);
    }
  });
  pass.immediate();
  const { retention } = deps.config;
  const files = async (folder: string | undefined, days: number | undefined): Promise<number> =>
    folder === undefined || days === undefined
      ? 0
      : removeFiles(folder, deps.clock.now() - days * DAY_MS, dryRun);
  report.artifacts = await files(retention.artifactPath, retention.artifacts);
  report.logs = await files(retention.logPath, retention.logs);
  return report;
}
