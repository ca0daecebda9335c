import { t } from '../../preload/texts/t.ts';
import './window-colors.css';
import { Menu, Tooltip } from '@mantine/core';
import {
  IconCheck,
  IconChevronDown,
  IconDeviceDesktop,
  IconPlugConnected,
  IconPlugConnectedX,
  IconSettings,
} from '@tabler/icons-react';
import { chooseConnection } from '../app/choose-connection.ts';
import { navigateTo } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { connectionStore } from '../data/chosen-connection.ts';
import { isSilent, useConnectionStatus, useConnections } from '../data/connections.ts';
import { useStore } from '../ui/store.ts';

const HERE = t('This computer');

/** What this window is connected to, in its colour, and the way to another one. */
export function ConnectionSwitch() {
  const connections = useConnections();
  const id = useStore(connectionStore);
  const status = useConnectionStatus();
  const chosen = connections.find((one) => one.id === id);
  const name = id === null ? HERE : (chosen?.name ?? status?.connection.name ?? t('A connection'));
  const services = status === undefined ? [] : Object.values(status.services);
  const silent = services.some(isSilent);
  const Icon = id === null ? IconDeviceDesktop : silent ? IconPlugConnectedX : IconPlugConnected;
  const says =
    id === null
      ? t('The services of this computer answer every call')
      : t('Runs and tasks are those of {name}{detail}', {
          name,
          detail: silent ? t(', which does not answer') : '',
        });
  return (
    <Menu position="bottom-end" width={280} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Tooltip label={says}>
          <button
            type="button"
            className="sw-title-button sw-environment"
            data-color={chosen?.color}
            data-silent={silent || undefined}
            aria-label={t('Connection {name}{detail}', {
              name,
              detail: silent ? t(', does not answer') : '',
            })}
            data-testid="connection"
          >
            <Icon size={15} stroke={1.75} aria-hidden />
            <span>{name}</span>
            <IconChevronDown size={13} aria-hidden />
          </button>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('This window is connected to')}</Menu.Label>
        <Menu.Item
          leftSection={<IconDeviceDesktop size={15} aria-hidden />}
          rightSection={id === null ? <IconCheck size={14} /> : null}
          onClick={() => chooseConnection(null)}
          data-testid="connection-here"
        >
          {HERE}
        </Menu.Item>
        {connections.map((one) => (
          <Menu.Item
            key={one.id}
            className="sw-connection-item"
            data-color={one.color}
            leftSection={<IconPlugConnected size={15} aria-hidden />}
            rightSection={one.id === id ? <IconCheck size={14} /> : null}
            onClick={() => chooseConnection(one.id)}
            data-testid={`connection-to-${one.name}`}
          >
            {one.name}
            <span className="sw-faint sw-connection-host">
              {new URL(one.platform ?? one.dashboard ?? one.studio ?? '').host}
            </span>
          </Menu.Item>
        ))}
        {status !== undefined && status.lacks.length > 0 && (
          <p className="sw-faint sw-connection-lacks" data-testid="connection-lacks-offers">
            {t(
              'The platform of {name} is an older version, or of another make. It cannot: {offers}. Everything else works.',
              { name: status.connection.name, offers: status.lacks.join('; ') },
            )}
          </p>
        )}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconSettings size={15} aria-hidden />}
          onClick={() => navigateTo(paths.settings('connections'))}
          data-testid="connections-manage"
        >
          {t('Connections…')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
