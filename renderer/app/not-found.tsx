import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { navigateTo } from './navigation.ts';
import { paths } from './paths.ts';

/** An address that names nothing. */
export function NotFound() {
  return (
    <EmptyState
      icon={<IconMapPinOff size={32} stroke={1.25} />}
      title={t('There is nothing at this address')}
      actions={
        <Button size="xs" onClick={() => navigateTo(paths.welcome())}>
          {t('Go to Welcome')}
        </Button>
      }
    >
      {t('It may name something that was deleted, or come from another version.')}
    </EmptyState>
  );
}
