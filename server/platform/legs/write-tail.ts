import type { RunResult } from '../../contract/platform/runs.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { PlatformDeps } from '../deps.ts';
import { RecordTaken } from '../idempotency/record-taken.ts';
import { type LegTail, type TailAudit, toResumeResult } from './leg-tail.ts';

/** What the audit events of an answer say of it. */
interface AnswerFacts {
  readonly status: string;
  readonly usage: unknown;
}

function added(audit: TailAudit, { status, usage }: AnswerFacts): JsonObject {
  if (audit.adds === 'status') return { status };
  const known = audit.adds === 'usage' && usage !== null && usage !== undefined;
  return known ? { usage: JSON.parse(JSON.stringify(usage)) } : {};
}

/** Writes the audit events alone: all there is to write where nothing is recorded. */
export function auditTail(
  deps: Pick<PlatformDeps, 'recordAudit'>,
  tail: LegTail,
  facts: AnswerFacts,
): void {
  for (const audit of tail.audit) {
    const { adds: _adds, ...event } = audit;
    deps.recordAudit({ ...event, metadata: { ...audit.metadata, ...added(audit, facts) } });
  }
}

/**
 * Writes the record, then the audit events, of a successful answer (contract/platform.md 5, 8);
 * `text` is its body where that is known without the result.
 * @throws RecordTaken, which undoes the transaction around it.
 */
export function writeTail(
  deps: Pick<PlatformDeps, 'idempotencyRecords' | 'recordAudit' | 'clock'>,
  tail: LegTail,
  result: RunResult,
  status: number,
  text?: string,
): void {
  const { record } = tail;
  if (record !== null) {
    const now = toTimestamp(deps.clock.now());
    const kept = deps.idempotencyRecords.insert({
      ...record.identity,
      scope: record.scope,
      request_hash: record.request_hash,
      status_code: status,
      body: text ?? JSON.stringify(tail.body === 'run' ? result : toResumeResult(result)),
      created_at: now,
      updated_at: now,
    });
    if (!kept) throw new RecordTaken('the key was answered elsewhere');
  }
  auditTail(deps, tail, { status: result.status, usage: result.metadata['usage'] });
}
