import { Menu } from '@mantine/core';
import { IconChevronDown, IconLogin2, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';
import { runCommand } from '../app/commands.ts';
import { navigateTo } from '../app/navigation.ts';
import type { Standings } from '../data/sign-in.ts';

const NAMES = { studio: t('Authoring'), dashboard: t('Operations') } as const;

/** Who is signed in, and the way out; nothing where nobody is asked. */
export function AccountMenu(props: { readonly standings: Standings }) {
  const { ways, link, author, operator, ...standings } = props.standings;
  if (ways.length === 0) {
    return null;
  }
  const name = author ?? operator?.identity ?? t('Account');
  const outOf = ways.filter(({ service }) => standings[service] === 'out');
  return (
    <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button
          type="button"
          className="sw-title-button"
          aria-label={t('Account of {name}', { name })}
          data-testid="account"
        >
          <IconUserCircle size={17} stroke={1.75} aria-hidden />
          <span>{name}</span>
          <IconChevronDown size={13} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {author !== undefined && (
          <Menu.Label>
            {NAMES.studio}: {author}
          </Menu.Label>
        )}
        {operator !== undefined && (
          <Menu.Label>
            {NAMES.dashboard}: {operator.identity}, {operator.role}
          </Menu.Label>
        )}
        {link && <Menu.Label>{t('This browser has the link of this server')}</Menu.Label>}
        {outOf.map(({ service }) => (
          <Menu.Item
            key={service}
            leftSection={<IconLogin2 size={15} stroke={1.75} />}
            onClick={() => navigateTo(`/sign-in?service=${service}`)}
          >
            {t('Sign in to {lowerCase}', { lowerCase: NAMES[service].toLowerCase() })}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={15} stroke={1.75} />}
          onClick={() => runCommand('app.sign-out')}
          data-testid="account-sign-out"
        >
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
