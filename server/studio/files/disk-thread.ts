import { parentPort } from 'node:worker_threads';
import { systemCode } from '../../kernel/system-code.ts';
import type { DiskAnswer } from './disk.ts';
import { type DiskOrder, perform } from './disk-work.ts';

// Entry of a disk thread: what waits for the disk where it is, one piece of work after the other.

function answerTo(order: DiskOrder): DiskAnswer {
  const { id } = order;
  try {
    return { id, isDone: true, made: perform(order) };
  } catch (error) {
    return { id, isDone: false, error, code: systemCode(error) };
  }
}

parentPort?.on('message', (order: DiskOrder) => parentPort?.postMessage(answerTo(order)));
