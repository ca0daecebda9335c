import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../kernel/system-code.ts';

const MARK = 'SPECWRIGHT_GROUP';
/** One that forks while it is looked for is found the next time; one that was killed may still be going. */
const LOOKS = 50;
const PAUSE_MS = 20;

/** A command's environment with a mark that everything it starts inherits, also in another session. */
export function markedEnvironment(env: Readonly<Record<string, string>>): {
  readonly env: Record<string, string>;
  readonly mark: string;
} {
  const mark = randomUUID();
  return { env: { ...env, [MARK]: mark }, mark };
}

async function carries(pid: number, entry: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    return environment.split('\0').includes(entry);
  } catch {
    // It ended, or is somebody else's.
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    const gone = systemCode(error) === 'ESRCH';
    if (!gone) throw error;
  }
}

/**
 * Ends what a marked command started and what left its process group (`setsid`). Resolves when none
 * is there any more, after a second in any case. Where there is no /proc, and for a program that drops
 * its environment, nothing is found.
 */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let look = 0; look < LOOKS; look += 1) {
    const names = await readdir('/proc');
    const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
    const marked = await Promise.all(pids.map((pid) => carries(pid, `${MARK}=${mark}`)));
    const found = pids.filter((_pid, index) => marked[index]);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
    await sleep(PAUSE_MS);
  }
}
