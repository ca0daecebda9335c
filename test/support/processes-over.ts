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
 * How many processes run code of a project; each names its folder among its words. (In a sandbox a
 * process has a number of its own, which tells nothing here.)
 */
export function processesOver(root: string): number {
  const words = path.join(root, 'functions', '*');
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.filter((name) => wordsOf(name).includes(words)).length;
}
