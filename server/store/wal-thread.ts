import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import type { WalMoved, WalOrder, WalSetup } from './wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS } from './write-lock.ts';

// Moves the write-ahead log of a store into the store itself: work of the disk that no other thread
// waits for.

const setup: WalSetup = workerData;
/** Frames of a page each: about 64 MiB. */
const LONG_LOG = 16_384;
/** So few are moved in a moment. */
const FEW = 500;
const MAX_TRIES = 4;

/** What SQLite answers to a checkpoint: frames in the log, and those moved so far. */
interface Progress {
  readonly log: number;
  readonly checkpointed: number;
}

const sqlite = new BetterSqlite3(setup.file, { fileMustExist: true });
sqlite.pragma('busy_timeout = 20');
sqlite.pragma(`synchronous = ${setup.durability === 'full' ? 'FULL' : 'NORMAL'}`);
const lock = createWriteLock(setup.lock, LOCK_HOLDERS.checkpoints);
const passive = sqlite.prepare<[], Progress>('PRAGMA wal_checkpoint(PASSIVE)');

/**
 * Writers that never pause never leave a log that is moved wholly, and it would grow on and on: what
 * they wrote meanwhile is moved, too, and for the last few they wait once. The file keeps its size,
 * so that the next log is written over it.
 */
function moveLog(): number {
  let at = passive.get();
  const frames = at?.log ?? 0;
  for (let tries = 1; at !== undefined && at.log > LONG_LOG; tries += 1) {
    if (at.log - at.checkpointed < FEW || tries === MAX_TRIES) {
      lock.run(() => sqlite.pragma('wal_checkpoint(RESTART)'));
      return frames;
    }
    at = passive.get();
  }
  return frames;
}

function shrinkLog(): number {
  lock.run(() => sqlite.pragma('wal_checkpoint(TRUNCATE)'));
  return 0;
}

/** Each answers the frames that the log held. */
const WORK: Readonly<Record<WalOrder, () => number>> = { move: moveLog, shrink: shrinkLog };
let before = 0;

parentPort?.on('message', (order: WalOrder) => {
  const held = WORK[order]();
  // A log that was moved wholly begins anew with the next write.
  const answer: WalMoved = { frames: held >= before ? held - before : held };
  before = held;
  parentPort?.postMessage(answer);
});
