import type { PlatformDeps } from '../deps.ts';
import type { AuditInput } from './record-audit.ts';

/**
 * Writes an audit event with what others write at the moment, and waits for it. Never throws: work
 * that is done stays done (contract/platform.md 8).
 */
export async function tellAudit(
  deps: Pick<PlatformDeps, 'commits' | 'recordAudit' | 'log'>,
  event: AuditInput,
): Promise<void> {
  try {
    await deps.commits.add(() => deps.recordAudit(event));
  } catch (error) {
    deps.log.error({ event_type: event.event_type, err: error }, 'audit event was not written');
  }
}
