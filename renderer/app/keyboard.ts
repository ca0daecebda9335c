import { COMMANDS } from '../../preload/commands.ts';
import { runCommand } from './commands.ts';
import { matchesShortcut } from './shortcut.ts';

/** True on a Mac, where Cmd is the main modifier. */
export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

/** Runs commands from the keyboard, ahead of whatever has the focus; answers the way to stop. */
export function listenForShortcuts(target: Window): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const ran =
      !event.defaultPrevented &&
      COMMANDS.some(
        ({ id, shortcut, also }) =>
          [shortcut, also].some(
            (keys) => keys !== undefined && matchesShortcut(keys, event, isMac),
          ) && runCommand(id),
      );
    if (ran) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  target.addEventListener('keydown', onKey, { capture: true });
  return () => target.removeEventListener('keydown', onKey, { capture: true });
}
