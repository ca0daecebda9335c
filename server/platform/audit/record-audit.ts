import type { AuditEvent } from '../../contract/platform/audit.ts';
import type { AuditEventType } from '../../contract/platform/audit-types.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Log } from '../../kernel/log.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { redactObject } from '../redaction.ts';
import type { AuditRepository } from './audit-repository.ts';

export interface AuditInput {
  readonly event_type: AuditEventType;
  readonly actor: string | null;
  readonly run_id?: string | null;
  readonly continuation_id?: string | null;
  readonly metadata: JsonObject;
}

/**
 * Takes every stored event as one record, once its transaction is committed; a failure of it is
 * logged and changes nothing.
 */
export type AuditSink = (event: AuditEvent) => void;

/** Writes one redacted audit event. Never throws: work that is done stays done (contract/platform.md 8). */
export type RecordAudit = (input: AuditInput) => void;

export function createRecordAudit(deps: {
  readonly repository: AuditRepository;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly sink: AuditSink | undefined;
}): RecordAudit {
  const waiting: AuditEvent[] = [];
  const tell = (sink: AuditSink, event: AuditEvent): void => {
    try {
      if (deps.repository.holds(event.id)) sink(event);
    } catch (error) {
      deps.log.error({ event_type: event.event_type, err: error }, 'audit event was not exported');
    }
  };
  /** Transactions end in the turn that they began in: what still stands after it is committed. */
  const afterCommit = (sink: AuditSink, event: AuditEvent): void => {
    waiting.push(event);
    if (waiting.length > 1) return;
    queueMicrotask(() => {
      for (const written of waiting.splice(0)) tell(sink, written);
    });
  };
  const write = (input: AuditInput): AuditEvent => {
    const event: AuditEvent = {
      id: deps.ids.uuid(),
      event_type: input.event_type,
      run_id: input.run_id ?? null,
      continuation_id: input.continuation_id ?? null,
      actor: input.actor,
      metadata: redactObject(input.metadata),
      created_at: toTimestamp(deps.clock.now()),
    };
    deps.repository.insert({ ...event, metadata: JSON.stringify(event.metadata) });
    return event;
  };
  return (input) => {
    try {
      const event = write(input);
      if (deps.sink !== undefined) afterCommit(deps.sink, event);
    } catch (error) {
      deps.log.error({ event_type: input.event_type, err: error }, 'audit event was not written');
    }
  };
}
