import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { WalSetup } from './wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS } from './write-lock.ts';

// Moves the write-ahead log of a store into the store itself: work of the disk that no other thread
// waits for.

const setup: WalSetup = workerData;
const TRUNCATE_BYTES = 256 * 1024 * 1024;

function walBytes(): number {
  return statSync(`${setup.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

const sqlite = new BetterSqlite3(setup.file, { fileMustExist: true });
sqlite.pragma('busy_timeout = 20');
sqlite.pragma(`synchronous = ${setup.durability === 'full' ? 'FULL' : 'NORMAL'}`);
const lock = createWriteLock(setup.lock, LOCK_HOLDERS.checkpoints);

parentPort?.on('message', () => {
  sqlite.pragma('wal_checkpoint(PASSIVE)');
  // Writers that never pause would let the log grow: they wait once for the little that is left.
  if (walBytes() > TRUNCATE_BYTES) lock.run(() => sqlite.pragma('wal_checkpoint(TRUNCATE)'));
  parentPort?.postMessage('done');
});
