import type { z } from 'zod';
import type { Annotation } from '../../../server/contract/dashboard/annotations.ts';
import type { auditEvent, auditLogEntry } from '../../../server/contract/dashboard/audit.ts';

export type AuditEvent = z.output<typeof auditEvent>;
export type OperatorEntry = z.output<typeof auditLogEntry>;

/** A saved state as the timeline shows it. */
export interface TimelineState {
  readonly sequence: number;
  readonly type: string;
  readonly node: string;
  /** Wire timestamp. */
  readonly at: string;
}

/** What happened to a run beside its trace. */
export type TimelineItem =
  | { readonly source: 'checkpoint'; readonly state: TimelineState }
  | { readonly source: 'audit'; readonly event: AuditEvent }
  | { readonly source: 'operator'; readonly entry: OperatorEntry }
  | { readonly source: 'note'; readonly note: Annotation };
