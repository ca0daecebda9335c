import path from 'node:path';
import { PRUNED_TABLES, type PrunedTable } from '../../dashboard/prune/prune-repository.ts';
import { type PruneReceipt, pruneStore } from '../../dashboard/prune/prune-store.ts';
import { randomIds, systemClock } from '../../runtime/system-clock.ts';
import { CommandFailure, UsageFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { openDashboardStore } from './dashboard-store.ts';

export interface PruneOptions {
  readonly olderThanDays: string;
  readonly exportDir: string;
  readonly by: string;
  readonly table: PrunedTable | 'all';
  readonly dryRun?: boolean;
  readonly vacuum?: boolean;
  readonly data?: string;
  readonly json?: boolean;
}

function daysOf(text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days >= 1) return days;
  throw new UsageFailure('--older-than-days must be a whole number of at least 1.');
}

function printReceipt(receipt: PruneReceipt): void {
  const taken = Object.entries(receipt.tables);
  for (const [table, { rows, export: file }] of taken) {
    printLine(`${table}: ${rows} rows${file === undefined ? '' : ` → ${file}`}`);
  }
  if (taken.length === 0) printLine('nothing to prune');
}

/** `dashboard prune`: exports old rows of launch history and audit log, then removes them. */
export function prune(options: PruneOptions): number {
  const olderThanDays = daysOf(options.olderThanDays);
  const store = openDashboardStore(options.data);
  try {
    const receipt = pruneStore({
      store,
      clock: systemClock(),
      ids: randomIds(),
      olderThanDays,
      exportFolder: path.resolve(options.exportDir),
      by: options.by,
      tables: options.table === 'all' ? PRUNED_TABLES : [options.table],
      dryRun: options.dryRun ?? false,
      vacuum: options.vacuum ?? false,
    });
    if (options.json) printJson(receipt);
    else printReceipt(receipt);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CommandFailure(`The prune failed: ${error.message}`);
  } finally {
    store.close();
  }
}
