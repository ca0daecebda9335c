import { t } from '../../preload/texts/t.ts';
import './window-colors.css';
import { Menu } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronDown, IconServer2 } from '@tabler/icons-react';
import { chooseEnvironment } from '../app/choose-environment.ts';
import { environmentTitle, useEnvironments } from '../data/environment.ts';

const DEFAULT = t('Default platform');

/** The environment that this window works in; nothing where there is only the default platform. */
export function EnvironmentSwitch() {
  const environments = useEnvironments();
  if (environments === undefined) {
    return null;
  }
  const { choices, chosen, limited } = environments;
  if (choices.length === 0 && chosen === null) {
    return null;
  }
  const shown = chosen === null ? DEFAULT : environmentTitle(chosen);
  const Icon = chosen?.production === true ? IconAlertTriangle : IconServer2;
  return (
    <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button
          type="button"
          className="sw-title-button sw-environment"
          data-production={chosen?.production === true}
          data-color={chosen?.color ?? undefined}
          aria-label={t(
            'Environment {shown}{productionCase, select, true {, production} other {}}',
            { shown, productionCase: chosen?.production === true },
          )}
          data-testid="operator-environment"
        >
          <Icon size={15} stroke={1.75} aria-hidden />
          <span>{shown}</span>
          <IconChevronDown size={13} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('This window shows and changes')}</Menu.Label>
        {!limited && (
          <Menu.Item
            rightSection={chosen === null ? <IconCheck size={14} /> : null}
            onClick={() => chooseEnvironment(null)}
          >
            {DEFAULT}
          </Menu.Item>
        )}
        {choices.map((choice) => (
          <Menu.Item
            key={choice.name}
            leftSection={choice.production ? <IconAlertTriangle size={14} aria-hidden /> : null}
            rightSection={chosen?.name === choice.name ? <IconCheck size={14} /> : null}
            onClick={() => chooseEnvironment(choice.name)}
            data-testid={`environment-${choice.name}`}
          >
            {environmentTitle(choice)}{' '}
            {choice.production && <span className="sw-faint">{t('production')}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
