import { COMMANDS } from '../../preload/commands.ts';
import { runCommand } from './commands.ts';
import { isMac } from './is-mac.ts';
import { matchesShortcut } from './shortcut.ts';
import { changedShortcuts, shortcutsOf } from './shortcuts.ts';

/** Marks a field that takes every key as it is: `<input {...TAKES_KEYS}>`. */
export const TAKES_KEYS = { 'data-takes-keys': '' } as const;

/** Runs commands from the keyboard, ahead of whatever has the focus; answers the way to stop. */
export function listenForShortcuts(target: Window): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const { target: at } = event;
    if (event.defaultPrevented || (at instanceof Element && at.closest('[data-takes-keys]'))) {
      return;
    }
    const changed = changedShortcuts();
    const ran = COMMANDS.some(
      (command) =>
        shortcutsOf(command, changed).some((keys) => matchesShortcut(keys, event, isMac)) &&
        runCommand(command.id),
    );
    if (ran) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  target.addEventListener('keydown', onKey, { capture: true });
  return () => target.removeEventListener('keydown', onKey, { capture: true });
}
