import type { AuditAction } from '../../contract/dashboard/audit-actions.ts';
import type { LaunchDetails } from '../../contract/dashboard/launch.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { isStoreBusy } from '../../kernel/store-busy.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { AuditLogRow } from '../../store/dashboard-tables.ts';
import type { Capability } from '../access/capabilities.ts';
import type { Db } from '../handle.ts';
import { insertAuditRow } from './audit-repository.ts';

/** What an operator did. */
export interface AuditEntry {
  readonly operator: string;
  readonly action: AuditAction | Capability;
  readonly environment: string | null;
  readonly target: string | null;
  readonly outcome: AuditLogRow['outcome'];
  /** Of a launch. */
  readonly details?: LaunchDetails | null;
}

/** The local record of actions. Appending never fails a request (contract/dashboard.md 14). */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}

export interface AuditLogOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  onFailure?(): void;
}

/** Builds the log over the store. */
export function createAuditLog(options: AuditLogOptions): AuditLog {
  return {
    async append({ details = null, ...entry }) {
      try {
        await insertAuditRow(options.db, {
          id: options.ids.hex(),
          ...entry,
          details: details === null ? null : JSON.stringify(details),
          created_at: toTimestamp(options.clock.now()),
        });
      } catch (error) {
        options.onFailure?.();
        options.log.error({ action: entry.action, err: error }, 'an audit row was not written');
      }
    },
  };
}

/**
 * Runs an action and records how it ended. `target` names what was acted on; for an action that
 * makes its target, it is read from the result and absent after a failure.
 */
export async function audited<T>(
  log: AuditLog,
  operator: { readonly identity: string },
  facts: {
    readonly action: AuditAction;
    readonly environment?: string | null;
    readonly details?: LaunchDetails | null;
    readonly target: string | ((result: T) => string | null);
  },
  run: () => Promise<T>,
): Promise<T> {
  const { action, target, environment = null, details = null } = facts;
  const base = { operator: operator.identity, action, environment, details };
  let result: T;
  try {
    result = await run();
  } catch (error) {
    const named = typeof target === 'string' ? target : null;
    const recorded = log.append({ ...base, target: named, outcome: 'error' });
    // A store that is locked would keep the answer waiting once more.
    if (!isStoreBusy(error)) await recorded;
    throw error;
  }
  const named = typeof target === 'string' ? target : target(result);
  await log.append({ ...base, target: named, outcome: 'ok' });
  return result;
}
