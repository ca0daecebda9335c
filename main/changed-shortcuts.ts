import { COMMANDS } from '../preload/commands.ts';

/** Command → its keys where they are not the usual ones; null = none. */
export type ChangedShortcuts = Readonly<Record<string, string | null>>;

const SHORTCUT = /^(?:(?:mod|alt|shift)\+){0,3}[!-~]\w{0,15}$/;

/** The changed keys that a window names; anything else in it counts as not said. */
export function readShortcuts(value: unknown): ChangedShortcuts {
  const named = new Map(
    typeof value === 'object' && value !== null ? Object.entries(value) : undefined,
  );
  return Object.fromEntries(
    COMMANDS.flatMap(({ id }) => {
      const keys: unknown = named.get(id);
      const isKeys = keys === null || (typeof keys === 'string' && SHORTCUT.test(keys));
      return isKeys ? [[id, keys]] : [];
    }),
  );
}

const WORDS: Readonly<Record<string, string>> = {
  mod: 'CmdOrCtrl',
  alt: 'Alt',
  shift: 'Shift',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  Enter: 'Return',
};

/** Keys that the system has a name for; a menu with another one would not be made. */
const NAMED =
  /^(?:[!-~]|F(?:[1-9]|1\d|2[0-4])|Plus|Space|Backspace|Delete|Insert|Return|Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;

/** A shortcut as the menu shows it; undefined for keys that no menu can show. */
export function acceleratorOf(shortcut: string): string | undefined {
  const parts = shortcut.split('+').map((part) => WORDS[part] ?? part);
  return NAMED.test(parts.at(-1) ?? '') ? parts.join('+') : undefined;
}
