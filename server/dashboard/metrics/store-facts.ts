import { statSync } from 'node:fs';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { DashboardDeps } from '../deps.ts';
import { countActiveSessions, countRowsOf } from './counts-repository.ts';

const SIDECARS = ['', '-wal', '-shm'];
const IN_MEMORY = ':memory:';

/** What the dashboard keeps, as the metrics and the window tell it. */
export interface StoreFacts {
  readonly kind: 'file' | 'memory';
  /** With the files beside it; null for one in memory. */
  readonly bytes: number | null;
  readonly rows: { readonly audit_log: number; readonly launches: number };
  readonly sessions_active: number;
}

function bytesOf(file: string): number {
  return SIDECARS.reduce(
    (sum, suffix) => sum + (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Reads what the store holds now. */
export async function readStoreFacts(
  deps: Pick<DashboardDeps, 'db' | 'clock' | 'storeFile'>,
): Promise<StoreFacts> {
  const { db, clock, storeFile } = deps;
  const isMemory = storeFile === IN_MEMORY;
  return {
    kind: isMemory ? 'memory' : 'file',
    bytes: isMemory ? null : bytesOf(storeFile),
    rows: {
      audit_log: await countRowsOf(db, 'audit_log'),
      launches: await countRowsOf(db, 'launches'),
    },
    sessions_active: await countActiveSessions(db, toTimestamp(clock.now())),
  };
}
