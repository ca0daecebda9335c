import type { Log } from '../kernel/log.ts';
import type { StraySetting } from '../kernel/setting-names.ts';

/** Tells of variables that look like a setting with a slip in its name, and so do nothing. */
export function tellStrays(log: Log, strays: readonly StraySetting[]): void {
  for (const stray of strays)
    log.warn({ ...stray }, 'no setting has this name and it does nothing');
}
