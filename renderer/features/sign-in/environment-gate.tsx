import { t } from '../../../preload/texts/t.ts';
import './sign-in.css';
import { Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconServer2, IconServerOff } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { chooseEnvironment } from '../../app/choose-environment.ts';
import { environmentStore } from '../../data/chosen-environment.ts';
import { useEnvironments, useGrants } from '../../data/environment.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useStore } from '../../ui/store.ts';

/** What runs, for a role that is limited to some environments once one of them is chosen. */
export function EnvironmentGate(props: { readonly children: ReactNode }) {
  const environments = useEnvironments();
  const hindrance = useGrants()(useStore(environmentStore));
  const { limited = false, chosen = null, choices = [] } = environments ?? {};
  const only = limited && chosen === null && choices.length === 1 ? choices[0]?.name : undefined;
  useEffect(() => {
    if (only !== undefined) {
      chooseEnvironment(only);
    }
  }, [only]);
  // Grants are known before the choices are: what would be refused is not asked meanwhile.
  if (environments === undefined && hindrance !== undefined) {
    return null;
  }
  if (!limited || chosen !== null) {
    return props.children;
  }
  if (choices.length === 0) {
    return (
      <EmptyState
        icon={<IconServerOff size={28} stroke={1.5} aria-hidden />}
        title={t('Your role may use no environment')}
        testId="no-environment"
      >
        {t('Who administers this dashboard grants environments to roles.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconServer2 size={28} stroke={1.5} aria-hidden />}
      title={t('Choose an environment')}
      testId="choose-environment"
    >
      {t('Your role is limited to these. This window shows one of them at a time.')}
      <Stack gap="xs" mt="md">
        {choices.map(({ name, label, production }) => (
          <Button
            key={name}
            variant="default"
            leftSection={production ? <IconAlertTriangle size={15} aria-hidden /> : null}
            onClick={() => chooseEnvironment(name)}
          >
            {label || name} {production && t('· production')}
          </Button>
        ))}
      </Stack>
    </EmptyState>
  );
}
