import { ActionIcon, Button, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconFolder,
  IconMoon,
  IconPlus,
  IconSearch,
  IconServer2,
  IconSun,
  IconSunMoon,
  IconTopologyStar3,
} from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';
import { runCommand } from '../app/commands.ts';
import { hrefOf, navigateTo } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { useShortcutText } from '../app/shortcuts.ts';
import { WINDOW_PART } from '../app/window-parts.ts';
import { isServed, SERVED } from '../data/served.ts';
import { useStandings } from '../data/sign-in.ts';
import { useBindings, useMe } from '../data/studio.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { windowFacts } from '../desktop/this-window.ts';
import { chooseAlias, useChosenBinding } from '../environments/chosen-alias.ts';
import { keepPreferences } from '../ui/keep-preferences.ts';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionSwitch } from './connection-switch.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { NewsMenu } from './news-menu.tsx';

/** What an address serves that is not the whole workbench. */
const ALONE = { studio: t('Authoring studio'), dashboard: t('Operations dashboard') } as const;

/** Project switcher, palette field, environment, connection and theme. */
export function TitleBar(props: { readonly projectId: string | undefined }) {
  const standings = useStandings();
  const paletteKeys = useShortcutText('palette.open');
  return (
    <header className="sw-title" {...WINDOW_PART}>
      <div className="sw-title-left">
        <a className="sw-wordmark" href={hrefOf(paths.welcome())} data-testid="wordmark">
          <IconTopologyStar3 size={20} stroke={1.75} aria-hidden />
          {t('Specwright')}
        </a>
        {SERVED.service !== 'gateway' && props.projectId === undefined && (
          <span className="sw-title-fact" data-optional="true" data-testid="served-alone">
            {ALONE[SERVED.service]}
          </span>
        )}
        {isServed('studio') && <ProjectSwitcher projectId={props.projectId} />}
      </div>
      <button
        type="button"
        className="sw-palette-field"
        onClick={() => runCommand('palette.open')}
        data-testid="palette-field"
      >
        <IconSearch size={14} stroke={1.75} aria-hidden />
        <span>{t('Search or run a command')}</span>
        {paletteKeys !== undefined && <kbd className="sw-kbd">{paletteKeys}</kbd>}
      </button>
      <div className="sw-title-right">
        <EnvironmentFact projectId={props.projectId} />
        {props.projectId === undefined && isServed('dashboard') && <EnvironmentSwitch />}
        {standings.ways.length === 0 && isServed('gateway') && <ConnectionSwitch />}
        <SafeMode />
        <NewsMenu />
        <AccountMenu standings={standings} />
        <ThemeMenu />
      </div>
    </header>
  );
}

/** Says that this start is one in safe mode, and leads back to a usual one. */
function SafeMode() {
  if (windowFacts()?.safe !== true) {
    return null;
  }
  return (
    <Tooltip
      multiline
      w={280}
      label={t(
        'No code of projects runs, no MCP server is called, and the usual settings hold. Press to start as usual.',
      )}
    >
      <Button
        size="compact-xs"
        color="yellow"
        variant="light"
        onClick={() => void desktopApi()?.restart('usual')}
        data-testid="safe-mode"
      >
        {t('Safe mode')}
      </Button>
    </Tooltip>
  );
}

function ProjectSwitcher(props: { readonly projectId: string | undefined }) {
  const me = useMe();
  const projects = me.data?.projects ?? [];
  const current = projects.find(({ id }) => id === props.projectId);
  return (
    <Menu width={260}>
      <Menu.Target>
        <button
          type="button"
          className="sw-title-button"
          aria-label={
            current === undefined
              ? t('Choose a project')
              : t('Project {name}', { name: current.name })
          }
          data-testid="project-switcher"
        >
          <IconFolder size={15} stroke={1.75} aria-hidden />
          <span>{current?.name ?? t('Choose a project')}</span>
          <IconChevronDown size={13} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Projects')}</Menu.Label>
        {projects.map((project) => (
          <Menu.Item
            key={project.id}
            leftSection={<IconFolder size={15} stroke={1.75} />}
            rightSection={project.id === props.projectId ? <IconCheck size={14} /> : null}
            onClick={() => navigateTo(paths.project(project.id))}
          >
            {project.name}
          </Menu.Item>
        ))}
        {projects.length === 0 && <Menu.Item disabled>{t('No project yet')}</Menu.Item>}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPlus size={15} />}
          onClick={() => runCommand('file.new-project')}
          data-testid="new-project"
        >
          {t('New project…')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function EnvironmentFact(props: { readonly projectId: string | undefined }) {
  const { projectId } = props;
  const bindings = useBindings(projectId).data ?? [];
  const binding = useChosenBinding(projectId);
  if (binding === undefined || projectId === undefined) {
    return null;
  }
  const policy =
    binding.capability_policy === 'local'
      ? t('local capability policy: project code may run here')
      : t('strict capability policy: only registered capabilities pass');
  return (
    <Menu width={260} position="bottom-end">
      <Menu.Target>
        <Tooltip
          label={t('Alias {alias}, generation {generation}; {policy}', {
            alias: binding.alias,
            generation: binding.generation,
            policy,
          })}
        >
          <button
            type="button"
            className="sw-title-button"
            aria-label={t('Environment {platform_environment}, alias {alias}', {
              platform_environment: binding.platform_environment,
              alias: binding.alias,
            })}
            data-testid="environment"
          >
            <IconServer2 size={15} stroke={1.75} aria-hidden />
            <span>{bindings.length > 1 ? binding.alias : binding.platform_environment}</span>
          </button>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Preview, import and run on')}</Menu.Label>
        {bindings.map(({ alias, platform_environment }) => (
          <Menu.Item
            key={alias}
            leftSection={<IconServer2 size={15} stroke={1.75} />}
            rightSection={alias === binding.alias ? <IconCheck size={14} /> : null}
            onClick={() => chooseAlias(projectId, alias)}
          >
            {alias} <span className="sw-faint">{platform_environment}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => navigateTo(paths.environments(projectId))}>
          {t('Environments of this project')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const THEMES = [
  { value: 'light', title: t('Light'), icon: IconSun },
  { value: 'dark', title: t('Dark'), icon: IconMoon },
  { value: 'auto', title: t('System'), icon: IconSunMoon },
] as const;

function ThemeMenu() {
  const { colorScheme } = useMantineColorScheme();
  const current = THEMES.find(({ value }) => value === colorScheme) ?? THEMES[2];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Theme: {title}', { title: current.title })}
          data-testid="theme-menu"
        >
          <current.icon size={17} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {THEMES.map((item) => (
          <Menu.Item
            key={item.value}
            leftSection={<item.icon size={15} stroke={1.75} />}
            rightSection={item.value === colorScheme ? <IconCheck size={14} /> : null}
            onClick={() => keepPreferences({ theme: item.value })}
          >
            {item.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
