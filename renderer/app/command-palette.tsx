import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useStore } from '../ui/store.ts';
import { COMMANDS, type Command, handlersStore, runCommand } from './commands.ts';
import { isMac } from './keyboard.ts';
import { type PaletteItem, paletteItemsStore } from './palette-items.ts';
import { shortcutText } from './shortcut.ts';

function commandGroups(available: readonly Command[]): SpotlightActionGroupData[] {
  const groups = Map.groupBy(available, ({ group }) => group);
  return [...groups].map(([group, commands]) => ({
    group,
    actions: commands.map((command) => ({
      id: command.id,
      label: command.title,
      keywords: [command.group, command.id],
      onClick: () => runCommand(command.id),
      rightSection:
        command.shortcut === undefined ? null : (
          <kbd className="sw-kbd">{shortcutText(command.shortcut, isMac)}</kbd>
        ),
    })),
  }));
}

function itemGroups(items: readonly PaletteItem[]): SpotlightActionGroupData[] {
  return [...Map.groupBy(items, ({ group }) => group)].map(([group, list]) => ({
    group,
    actions: list.map((item) => ({
      id: item.id,
      label: item.title,
      onClick: item.run,
      ...(item.detail === undefined ? {} : { description: item.detail }),
    })),
  }));
}

/** Every command that something handles now, and every place to go to. */
export function CommandPalette() {
  const handlers = useStore(handlersStore);
  const items = useStore(paletteItemsStore);
  const actions = useMemo(() => {
    const available = COMMANDS.filter(({ id }) => handlers.has(id) && id !== 'palette.open');
    return [...itemGroups([...items.values()].flat()), ...commandGroups(available)];
  }, [handlers, items]);
  return (
    <Spotlight
      actions={actions}
      shortcut={null}
      nothingFound="Nothing matches"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.5} aria-hidden />,
        placeholder: 'Search drafts, artifacts and commands',
        'aria-label': 'Search drafts, artifacts and commands',
      }}
    />
  );
}

/** Opens the palette. */
export function openPalette(): void {
  spotlight.open();
}
