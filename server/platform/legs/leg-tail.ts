import type { AuditEventType } from '../../contract/platform/audit-types.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { PendingRecord } from '../pending-record.ts';

/** An audit event whose metadata gets facts of the answer. */
export interface TailAudit {
  readonly event_type: AuditEventType;
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

/** The answer of a resume, made of the run's. */
export function toResumeResult(result: RunResult) {
  const { run_id, status, output_text, metadata } = result;
  return { run_id: run_id ?? '', status, output_text, metadata };
}
