import { Tooltip } from '@mantine/core';
import {
  IconEdit,
  IconGauge,
  IconLayoutSidebarLeftExpand,
  IconListDetails,
  IconSettings,
  IconUserCheck,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { COMMANDS } from '../../preload/commands.ts';
import { t, translated } from '../../preload/texts/t.ts';
import { CommandAction } from '../app/command-action.tsx';
import { isMac } from '../app/is-mac.ts';
import { hrefOf } from '../app/navigation.ts';
import { type Place, paths } from '../app/paths.ts';
import { lastAuthorPath } from '../app/recent.ts';
import { shortcutText } from '../app/shortcut.ts';
import { shortcutsOf, useChangedShortcuts } from '../app/shortcuts.ts';
import { WINDOW_PART } from '../app/window-parts.ts';
import { isServed } from '../data/served.ts';
import { useStore } from '../ui/store.ts';
import { badgesStore } from './badges-store.ts';
import { useNews } from './use-news.tsx';
import { useTaskBadge } from './use-task-badge.ts';

interface Entry {
  readonly place: Place;
  readonly command: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;
  readonly path: () => string;
  /** The service whose place it is. */
  readonly of?: 'studio' | 'dashboard';
}

const ENTRIES: readonly Entry[] = [
  { place: 'author', command: 'go.author', icon: IconEdit, path: lastAuthorPath, of: 'studio' },
  {
    place: 'operate',
    command: 'go.overview',
    icon: IconGauge,
    path: paths.overview,
    of: 'dashboard',
  },
  {
    place: 'runs',
    command: 'go.runs',
    icon: IconListDetails,
    path: () => paths.runs(),
    of: 'dashboard',
  },
  { place: 'tasks', command: 'go.tasks', icon: IconUserCheck, path: paths.tasks, of: 'dashboard' },
  { place: 'settings', command: 'go.settings', icon: IconSettings, path: paths.settings },
];

/** The places of the workbench, each with its shortcut and a count where one matters. */
export function ActivityRail(props: {
  readonly place: Place;
  /** The sidebar has no room; a button opens it over the rest. */
  readonly folded: boolean;
}) {
  useTaskBadge();
  useNews();
  const badges = useStore(badgesStore);
  const changed = useChangedShortcuts();
  return (
    <nav className="sw-rail" aria-label={t('Places')} {...WINDOW_PART}>
      {props.folded && (
        <CommandAction
          command="view.sidebar"
          label={t('Show project')}
          icon={<IconLayoutSidebarLeftExpand size={18} stroke={1.5} />}
          testId="show-sidebar"
        />
      )}
      {ENTRIES.filter(({ of }) => of === undefined || isServed(of)).map((entry) => {
        const command = COMMANDS.find(({ id }) => id === entry.command);
        const title = command === undefined ? entry.place : translated(command.title);
        const count = badges[entry.place] ?? 0;
        const shown = count > 99 ? '99+' : String(count);
        const [keys] = command === undefined ? [] : shortcutsOf(command, changed);
        return (
          <Tooltip
            key={entry.place}
            label={keys === undefined ? title : `${title} (${shortcutText(keys, isMac)})`}
            position="right"
            disabled={props.place === entry.place}
          >
            <a
              href={hrefOf(entry.path())}
              aria-current={props.place === entry.place ? 'page' : undefined}
              aria-label={count > 0 ? t('{title} {shown} waiting', { title, shown }) : title}
              data-testid={`place-${entry.place}`}
            >
              <entry.icon size={20} stroke={1.5} aria-hidden />
              <span>{title}</span> {count > 0 && <span className="sw-rail-badge">{shown}</span>}
            </a>
          </Tooltip>
        );
      })}
    </nav>
  );
}
