import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { AuditAction } from '../../contract/dashboard/audit-actions.ts';
import { replaceFileSync } from '../../files/durable-write.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { AuditLogRow, DashboardTables } from '../../store/dashboard-tables.ts';
import type { Database } from '../../store/open-database.ts';
import { writeAuditRow } from '../audit/audit-repository.ts';
import { compact } from './compact-sqlite.ts';
import { exportTable, type TableExport } from './export-table.ts';
import { countRows, type PrunedTable, removeRows } from './prune-repository.ts';

export interface PruneInput {
  readonly store: Database<DashboardTables>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly olderThanDays: number;
  readonly exportFolder: string;
  /** Who answers for it; the operator of the audit row. */
  readonly by: string;
  readonly tables: readonly PrunedTable[];
  readonly dryRun: boolean;
  /** Compact the file after rows were removed. */
  readonly vacuum: boolean;
}

/** What a prune took, by table; `export` is a file name in the export folder. */
export interface PruneReceipt {
  readonly by: string;
  readonly cutoff: string;
  readonly tables: Readonly<
    Partial<Record<PrunedTable, { rows: number; export?: string; sha256?: string }>>
  >;
}

const DAY_MS = 86_400_000;

function stampOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function audit(
  input: PruneInput,
  action: AuditAction,
  receipt: PruneReceipt,
  outcome: AuditLogRow['outcome'],
): void {
  writeAuditRow(input.store.sqlite, {
    id: input.ids.hex(),
    operator: input.by,
    action,
    environment: null,
    target: canonicalJson(receipt),
    outcome,
    created_at: toTimestamp(input.clock.now()),
    details: null,
  });
}

function receiptOf(input: PruneInput, cutoff: string, exports: readonly TableExport[]) {
  const tables = exports.map(({ table, file, sha256, ids }) => {
    return [table, { rows: ids.length, export: path.basename(file), sha256 }] as const;
  });
  return { by: input.by, cutoff, tables: Object.fromEntries(tables) };
}

/** Best effort: the failure that led here is what counts. */
function auditPartial(input: PruneInput, receipt: PruneReceipt): void {
  try {
    audit(input, 'store.prune.partial', receipt, 'error');
  } catch {
    // The store may be what failed.
  }
}

/**
 * Removes old rows after they were exported (contract/dashboard.md 16): an export that fails removes
 * nothing, a removal that fails is recorded as partial and goes on at the next prune. Answers what was
 * taken, or what would be in a dry run.
 * @throws the failure of export or removal
 */
export function pruneStore(input: PruneInput): PruneReceipt {
  const { sqlite, schemaVersion } = input.store;
  const now = input.clock.now();
  const cutoff = toTimestamp(now - input.olderThanDays * DAY_MS);
  const counts = input.tables.map((table) => [table, countRows(sqlite, table, cutoff)] as const);
  if (input.dryRun) {
    const tables = Object.fromEntries(counts.map(([table, rows]) => [table, { rows }]));
    return { by: input.by, cutoff, tables };
  }
  const full = counts.filter(([, rows]) => rows > 0).map(([table]) => table);
  if (full.length === 0) return { by: input.by, cutoff, tables: {} };
  const folder = input.exportFolder;
  const stamp = stampOf(now);
  mkdirSync(folder, { recursive: true });
  const exports = full.map((table) =>
    exportTable({ sqlite, schemaVersion, cutoff, folder, stamp }, table),
  );
  const receipt = receiptOf(input, cutoff, exports);
  try {
    for (const { table, ids } of exports) removeRows(sqlite, table, ids);
    const file = path.join(folder, `prune-receipt-${stamp}.json`);
    replaceFileSync(file, `${JSON.stringify(receipt, null, 2)}\n`, { mode: 0o600 });
    audit(input, 'store.prune', receipt, 'ok');
  } catch (error) {
    auditPartial(input, receipt);
    throw error;
  }
  if (input.vacuum) compact(sqlite);
  return receipt;
}
