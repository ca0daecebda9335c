import { toTimestamp } from '../../kernel/timestamp.ts';
import type { DashboardStore } from '../dashboard-store.ts';
import type { DashboardDeps } from '../deps.ts';
import { countActiveSessions, countRowsOf } from './counts-repository.ts';

/** What the dashboard keeps, as the metrics and the window tell it. */
export interface StoreFacts {
  readonly kind: DashboardStore['kind'];
  /** With the files beside it; null for one that is no file. */
  readonly bytes: number | null;
  readonly rows: { readonly audit_log: number; readonly launches: number };
  readonly sessions_active: number;
}

/** Reads what the store holds now. */
export async function readStoreFacts(
  deps: Pick<DashboardDeps, 'db' | 'clock' | 'store'>,
): Promise<StoreFacts> {
  const { db, clock, store } = deps;
  return {
    kind: store.kind,
    bytes: store.bytes(),
    rows: {
      audit_log: await countRowsOf(db, 'audit_log'),
      launches: await countRowsOf(db, 'launches'),
    },
    sessions_active: await countActiveSessions(db, toTimestamp(clock.now())),
  };
}
