import { COMMANDS, type Command } from '../../preload/commands.ts';
import { preferencesStore } from '../data/preferences.ts';
import { useStore } from '../ui/store.ts';
import { isMac } from './is-mac.ts';
import { normalShortcut, shortcutText } from './shortcut.ts';

/** Command → its shortcut, where somebody chose another one; null = none. */
export type ChangedShortcuts = Readonly<Record<string, string | null>>;

const NONE: ChangedShortcuts = {};

/** Everything that runs a command from the keyboard; the first one is shown. */
export function shortcutsOf(command: Command, changed: ChangedShortcuts): readonly string[] {
  const chosen = changed[command.id];
  if (chosen !== undefined) {
    return chosen === null ? [] : [chosen];
  }
  return [command.shortcut, command.also].filter((keys) => keys !== undefined);
}

/** A graph stands in the editor and on the page of a run; all other places exclude each other. */
const WITH_GRAPH: ReadonlySet<string> = new Set(['editor', 'run', 'artifact']);

/** Where one of both never works while the other does, the same keys may lead to both. */
function meet(one: Command, other: Command): boolean {
  const places = [one.when, other.when].map((when) =>
    when === 'desktop' || when === 'browser' ? undefined : when,
  );
  const [here, there] = places;
  if (here === undefined || there === undefined || here === there) {
    return true;
  }
  return (here === 'graph' && WITH_GRAPH.has(there)) || (there === 'graph' && WITH_GRAPH.has(here));
}

/** The commands that a shortcut would be taken from if another command got it. */
export function holdersOf(
  shortcut: string,
  id: string,
  changed: ChangedShortcuts,
): readonly Command[] {
  const mine = COMMANDS.find((command) => command.id === id);
  return COMMANDS.filter(
    (command) =>
      mine !== undefined &&
      command.id !== id &&
      meet(mine, command) &&
      shortcutsOf(command, changed).some((keys) => normalShortcut(keys) === shortcut),
  );
}

/** What is kept after a command got a shortcut, or none; what had it before has none. */
export function withShortcut(
  id: string,
  shortcut: string | null,
  changed: ChangedShortcuts,
): ChangedShortcuts {
  const taken = shortcut === null ? [] : holdersOf(shortcut, id, changed);
  const next = {
    ...changed,
    ...Object.fromEntries(taken.map((command) => [command.id, null])),
    [id]: shortcut,
  };
  return withoutUsual(next);
}

/** What is kept after a command got its usual keys back; whoever has one of them meanwhile loses it. */
export function withUsual(id: string, changed: ChangedShortcuts): ChangedShortcuts {
  const { [id]: _own, ...rest } = changed;
  const usual = COMMANDS.find((command) => command.id === id);
  const lost = (usual === undefined ? [] : shortcutsOf(usual, rest)).flatMap((keys) =>
    holdersOf(normalShortcut(keys), id, rest),
  );
  return withoutUsual({ ...rest, ...Object.fromEntries(lost.map((one) => [one.id, null])) });
}

function withoutUsual(changed: ChangedShortcuts): ChangedShortcuts {
  const isOwn = ([id, keys]: readonly [string, string | null]): boolean => {
    const command = COMMANDS.find((one) => one.id === id);
    const usual = command?.shortcut;
    const same = usual === undefined ? keys === null : keys === normalShortcut(usual);
    return command !== undefined && !(same && command.also === undefined);
  };
  return Object.fromEntries(Object.entries(changed).filter(isOwn));
}

/** What this person changed. */
export function useChangedShortcuts(): ChangedShortcuts {
  return useStore(preferencesStore).shortcuts ?? NONE;
}

/** As {@link useChangedShortcuts}, outside of a component. */
export function changedShortcuts(): ChangedShortcuts {
  return preferencesStore.get().shortcuts ?? NONE;
}

/** The keys of a command as people read them; undefined while it has none. */
export function useShortcutText(id: string): string | undefined {
  const changed = useChangedShortcuts();
  const command = COMMANDS.find((one) => one.id === id);
  const keys = command === undefined ? undefined : shortcutsOf(command, changed)[0];
  return keys === undefined ? undefined : shortcutText(keys, isMac);
}
