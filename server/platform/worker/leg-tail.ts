import type { RunResult } from '../../contract/platform/runs.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import type { PendingRecord } from '../idempotency/pending-record.ts';

/** An audit event whose metadata gets facts of the answer. */
interface TailAudit {
  readonly event_type: string;
  readonly actor: string | null;
  readonly run_id: string;
  readonly continuation_id: string | null;
  readonly metadata: JsonObject;
  readonly adds: 'status' | 'usage' | null;
}

/**
 * What the answer of an operation leaves in the store beside the run itself. Plain data: the leg may
 * end in another thread.
 */
export interface LegTail {
  readonly audit: readonly TailAudit[];
  readonly record: PendingRecord | null;
  /** Form of the recorded body. */
  readonly body: 'run' | 'human_task';
}

/** Another service on the same store answered this key in the meantime; nothing of ours is stored. */
export class RecordTaken extends Error {
  override readonly name = 'RecordTaken';
}

/** The answer of a resume, made of the run's. */
export function toResumeResult(result: RunResult) {
  const { run_id, status, output_text, metadata } = result;
  return { run_id: run_id ?? '', status, output_text, metadata };
}

function added(audit: TailAudit, result: RunResult): JsonObject {
  if (audit.adds === 'status') return { status: result.status };
  const usage = result.metadata['usage'];
  const known = audit.adds === 'usage' && usage !== null && usage !== undefined;
  return known ? { usage: JSON.parse(JSON.stringify(usage)) } : {};
}

/**
 * Writes the record, then the audit events, of a successful answer (contract/platform.md 5, 8).
 * @throws RecordTaken, which undoes the transaction around it.
 */
export function writeTail(
  deps: Pick<PlatformDeps, 'idempotencyRecords' | 'recordAudit' | 'clock'>,
  tail: LegTail,
  result: RunResult,
  status: number,
): void {
  const { record } = tail;
  if (record !== null) {
    const now = toTimestamp(deps.clock.now());
    const kept = deps.idempotencyRecords.insert({
      ...record.identity,
      scope: record.scope,
      request_hash: record.request_hash,
      status_code: status,
      body: JSON.stringify(tail.body === 'run' ? result : toResumeResult(result)),
      created_at: now,
      updated_at: now,
    });
    if (!kept) throw new RecordTaken('the key was answered elsewhere');
  }
  for (const audit of tail.audit) {
    const { adds: _adds, ...event } = audit;
    deps.recordAudit({ ...event, metadata: { ...audit.metadata, ...added(audit, result) } });
  }
}
