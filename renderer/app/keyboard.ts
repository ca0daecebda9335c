import { COMMANDS, runCommand } from './commands.ts';
import { matchesShortcut } from './shortcut.ts';

/** True on a Mac, where Cmd is the main modifier. */
export const isMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.userAgent);

/** Runs commands from the keyboard, ahead of whatever has the focus; answers the way to stop. */
export function listenForShortcuts(target: Window): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const command = COMMANDS.find(
      ({ shortcut }) => shortcut !== undefined && matchesShortcut(shortcut, event, isMac),
    );
    if (command !== undefined && !event.defaultPrevented && runCommand(command.id)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  target.addEventListener('keydown', onKey, { capture: true });
  return () => target.removeEventListener('keydown', onKey, { capture: true });
}
