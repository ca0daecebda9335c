import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises';
import type { PlatformDeps } from '../deps.ts';
import type { RetentionReport } from '../service-options.ts';
import { type RetentionPart, retentionParts } from './retention-parts-repository.ts';

const DAY_MS = 86_400_000;

/** A transaction goes on for so long, and gives others their turn for so long. */
const SHARE_MS = 8;
const PAUSE_MS = 2;

/** Removes what a walk has met, in short transactions; each key wholly or not at all. */
async function removeKeys(
  deps: PlatformDeps,
  part: RetentionPart,
  keys: readonly (string | number)[],
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  let at = 0;
  const some = deps.store.sync.transaction((): { rows: number; next: number } => {
    const until = performance.now() + SHARE_MS;
    let rows = 0;
    let next = at;
    do {
      const key = keys[next];
      if (key !== undefined) rows += part.remove(key);
      next += 1;
    } while (next < keys.length && performance.now() < until);
    return { rows, next };
  });
  while (at < keys.length && signal?.aborted !== true) {
    const { rows, next } = await deps.commits.turn(() => some.immediate());
    removed += rows;
    at = next;
    await sleep(PAUSE_MS);
  }
  return removed;
}

/** All that a part lets go, or what a stop left time for. */
async function removeRows(
  deps: PlatformDeps,
  part: RetentionPart,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  let walked = part.walk(undefined);
  while (signal?.aborted !== true) {
    removed += await removeKeys(deps, part, walked.keys, signal);
    if (walked.place === undefined) break;
    await turnOfLoop();
    walked = part.walk(walked.place);
  }
  return removed;
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

/**
 * One retention pass in the order of contract/platform.md 12; a dry run only counts. It goes in short
 * transactions: a stop in between leaves the rest to the next pass.
 */
export async function retainOnce(
  deps: PlatformDeps,
  dryRun: boolean,
  signal?: AbortSignal,
): Promise<RetentionReport> {
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
  for (const part of retentionParts(deps)) {
    report[part.count] = dryRun ? part.counted() : await removeRows(deps, part, signal);
  }
  if (!dryRun && signal?.aborted !== true) await deps.runCode.forget();
  const { retention } = deps.config;
  const files = async (folder: string | undefined, days: number | undefined): Promise<number> =>
    folder === undefined || days === undefined || signal?.aborted === true
      ? 0
      : removeFiles(folder, deps.clock.now() - days * DAY_MS, dryRun);
  report.artifacts = await files(retention.artifactPath, retention.artifacts);
  report.logs = await files(retention.logPath, retention.logs);
  return report;
}
