import { Button } from '@mantine/core';
import { IconPlugOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { connectionStore } from '../../../data/chosen-connection.ts';
import { useConnectionStatus } from '../../../data/connections.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useStore } from '../../../ui/store.ts';

const MISSING = {
  dashboard: {
    title: t('has no dashboard'),
    text: t(
      'Runs, tasks and what operators look after are read from the dashboard. The connection names none, so these places are empty; a draft can still be run on its platform.',
    ),
  },
  studio: {
    title: t('has no studio'),
    text: t('The drafts of this connection are kept in its studio, and it names none.'),
  },
} as const;

/** A place of the workbench, or why the window's connection has none of it. */
export function ConnectionGate(props: {
  readonly service: 'studio' | 'dashboard' | undefined;
  readonly children: ReactNode;
}) {
  const { service, children } = props;
  const isRemote = useStore(connectionStore) !== null;
  const status = useConnectionStatus();
  if (!isRemote || service === undefined || status?.services[service].present !== false) {
    return children;
  }
  const { title, text } = MISSING[service];
  return (
    <EmptyState
      icon={<IconPlugOff size={28} stroke={1.5} aria-hidden />}
      title={`${status.connection.name} ${title}`}
      testId="connection-lacks"
    >
      <p>{text}</p>
      <Button variant="default" onClick={() => navigateTo(paths.settings('connections'))}>
        {t('Open the connection')}
      </Button>
    </EmptyState>
  );
}
