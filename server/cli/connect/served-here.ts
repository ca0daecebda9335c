import { readServedNote, type ServedNote } from '../../host/instance-lock.ts';
import { isSamePlace } from './choose-connection.ts';

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The process that serves a platform from a data folder now. */
export function servedFrom(folder: string): ServedNote | undefined {
  const note = readServedNote(folder);
  return note !== undefined && isAlive(note.pid) ? note : undefined;
}

/** True when the platform on this data folder answers at the address. */
export function isServedFrom(folder: string, url: string): boolean {
  const note = servedFrom(folder);
  return note !== undefined && isSamePlace(note.platform, url);
}
