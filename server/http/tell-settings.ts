import type { Log } from '../kernel/log.ts';
import type { IgnoredSetting, StraySetting } from '../kernel/setting-names.ts';

/**
 * Tells of settings without an effect: those that a contract lets pass, and variables that look like
 * a setting with a slip in its name. Values are never told.
 */
export function tellSettings(
  log: Log,
  told: { readonly strays: readonly StraySetting[]; readonly ignored: readonly IgnoredSetting[] },
): void {
  for (const stray of told.strays)
    log.warn({ ...stray }, 'no setting has this name and it does nothing');
  for (const setting of told.ignored) log.warn({ ...setting }, 'this setting has no effect');
}
