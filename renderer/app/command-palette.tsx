import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { COMMANDS } from '../../preload/commands.ts';
import { t, translated } from '../../preload/texts/t.ts';
import { useStore } from '../ui/store.ts';
import { handlersStore, runCommand } from './commands.ts';
import { isMac } from './is-mac.ts';
import { findItems, type PaletteGroup, type PaletteItem } from './palette-filter.ts';
import { runByIdItem, usePaletteSources } from './palette-sources.ts';
import { shortcutText } from './shortcut.ts';
import { shortcutsOf, useChangedShortcuts } from './shortcuts.ts';

const field: { current: HTMLInputElement | null } = { current: null };

const LOOKED_THROUGH = t('Search drafts, runs, tasks, projects, settings and commands');

function actionGroup({ group, items }: PaletteGroup): SpotlightActionGroupData {
  return {
    group,
    actions: items.map((item) => ({
      id: item.id,
      label: item.title,
      onClick: item.run,
      ...(item.detail === undefined ? {} : { description: item.detail }),
      rightSection:
        item.shortcut === undefined ? null : (
          <kbd className="sw-kbd">{shortcutText(item.shortcut, isMac)}</kbd>
        ),
    })),
  };
}

/** Every command that something handles now, and every place to go to. */
export function CommandPalette() {
  const handlers = useStore(handlersStore);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const sources = usePaletteSources(open);
  const changed = useChangedShortcuts();
  const actions = useMemo(() => {
    const commands: PaletteItem[] = COMMANDS.filter(
      ({ id }) => handlers.has(id) && id !== 'palette.open',
    ).map((command) => ({
      id: command.id,
      group: translated(command.group),
      title: translated(command.title),
      shortcut: shortcutsOf(command, changed)[0],
      keywords: [command.id],
      run: () => runCommand(command.id),
    }));
    const asked = runByIdItem(text, sources);
    return findItems([...asked, ...sources, ...commands], text).map(actionGroup);
  }, [handlers, sources, text, changed]);
  return (
    <Spotlight
      actions={actions}
      query={text}
      onQueryChange={setText}
      // The list was filtered above, word by word; the palette must not filter it again.
      filter={(_query, found) => found}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      shortcut={null}
      // It is there at once: whoever pressed its keys goes on typing.
      transitionProps={{ duration: 0 }}
      nothingFound={t('Nothing matches')}
      highlightQuery
      scrollable
      maxHeight="calc(min(500px, 80vh) - 52px)"
      scrollAreaProps={{ scrollbars: 'y', type: 'auto' }}
      searchProps={{
        ref: field,
        leftSection: <IconSearch size={18} stroke={1.5} aria-hidden />,
        placeholder: LOOKED_THROUGH,
        'aria-label': LOOKED_THROUGH,
      }}
    />
  );
}

/** Opens the palette; the next key goes into it already. */
export function openPalette(): void {
  // What had the focus is noted first, so that it comes back there.
  flushSync(() => spotlight.open());
  field.current?.focus();
}
