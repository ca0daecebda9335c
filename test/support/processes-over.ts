import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

function wordsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended while the list was read.
    return '';
  }
}

/**
 * How many processes run code that stands below a folder; each names it among its words. (In a sandbox
 * a process has a number of its own, which tells nothing here.)
 */
export function processesOver(folder: string): number {
  const words = `${folder}${path.sep}`;
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.filter((name) => wordsOf(name).includes(words)).length;
}
