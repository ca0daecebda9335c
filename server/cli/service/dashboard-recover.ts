import { type ReconcileInput, reconcile } from '../../dashboard/recovery/reconcile.ts';
import {
  checkRecovery,
  enterRecovery,
  type RecoveryStore,
} from '../../dashboard/recovery/recovery.ts';
import type { RecoveryMarker } from '../../dashboard/recovery/recovery-repository.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { CommandFailure, UsageFailure } from '../command-failure.ts';
import { printJson, printLine, printNote } from '../output.ts';
import { readTextFile } from '../read-text-file.ts';
import { openDashboardStore } from './dashboard-store.ts';

export interface RecoverOptions {
  readonly reason?: string;
  readonly status?: boolean;
  readonly reconcile?: boolean;
  readonly accessMap?: string;
  readonly connections?: string;
  readonly keepConnections?: boolean;
  readonly data?: string;
  readonly json?: boolean;
}

/** What a deployment asks for before it lets traffic in (contract/dashboard.md 16). */
const EXIT_IN_RECOVERY = 3;
const NO_REASON = 'An operator asked for it.';

function refuseMixedWords(options: RecoverOptions): void {
  const { accessMap, connections, keepConnections, reason, status } = options;
  if (options.reconcile) {
    if (status || reason !== undefined) {
      throw new UsageFailure('--reconcile goes with neither --status nor --reason.');
    }
    if (accessMap === undefined) throw new UsageFailure('--reconcile needs --access-map.');
    if ((connections === undefined) === (keepConnections !== true)) {
      throw new UsageFailure('--reconcile needs either --connections or --keep-connections.');
    }
    return;
  }
  if (accessMap !== undefined || connections !== undefined || keepConnections) {
    throw new UsageFailure(
      '--access-map, --connections and --keep-connections go with --reconcile.',
    );
  }
  if (status && reason !== undefined) throw new UsageFailure('--status takes no --reason.');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandFailure(`${file} is not JSON.`);
    throw error;
  }
}

function readInput({ accessMap = '', connections }: RecoverOptions): ReconcileInput {
  return {
    accessMap: readJson(accessMap),
    connections: connections === undefined ? undefined : readJson(connections),
  };
}

function tell(options: RecoverOptions, marker: RecoveryMarker | undefined): void {
  if (options.json) printJson({ recovery_mode: marker !== undefined, ...marker });
}

function tellStatus(options: RecoverOptions, store: RecoveryStore): number {
  const marker = checkRecovery(store);
  tell(options, marker);
  if (marker === undefined) return 0;
  printNote(`specwright: in recovery since ${marker.entered_at}: ${marker.reason}`);
  return EXIT_IN_RECOVERY;
}

function leave(options: RecoverOptions, store: RecoveryStore): void {
  if (checkRecovery(store) === undefined) {
    throw new CommandFailure('The dashboard is not in recovery; there is nothing to reconcile.');
  }
  try {
    reconcile(store, readInput(options));
  } catch (error) {
    if (error instanceof Refusal) {
      throw new CommandFailure(`${error.message} The dashboard is still in recovery.`);
    }
    throw error;
  }
  tell(options, undefined);
  if (!options.json) printLine('The dashboard is out of recovery.');
}

function enter(options: RecoverOptions, store: RecoveryStore): void {
  const marker = enterRecovery(store, options.reason ?? NO_REASON);
  tell(options, marker);
  if (!options.json) printLine(`In recovery since ${marker.entered_at}: ${marker.reason}`);
}

/** `dashboard recover`: locks the dashboard down, says whether it is locked, or unlocks it. */
export function recover(options: RecoverOptions): number {
  refuseMixedWords(options);
  const { sqlite, databaseFile, close } = openDashboardStore(options.data);
  const store: RecoveryStore = { sqlite, databaseFile, now: () => Date.now() };
  try {
    if (options.status) return tellStatus(options, store);
    if (options.reconcile) leave(options, store);
    else enter(options, store);
    return 0;
  } finally {
    close();
  }
}
