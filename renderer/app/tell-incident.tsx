import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Incident } from '../../preload/desktop-api.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { writeOutput } from '../workbench/output-store.ts';

const TITLES: Readonly<Record<Incident['of'], string>> = {
  services: 'The services were started again',
  window: 'This window was loaded again',
  program: 'Specwright is back',
};

/** Says that something ended unexpectedly and is back, and leads to the log. */
export function tellIncident({ of, message }: Incident): void {
  writeOutput({ level: 'error', message });
  const id = notifications.show({
    title: TITLES[of],
    color: 'yellow',
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    message: (
      <span className="sw-undo" data-testid="incident">
        {message}
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            void desktopApi()?.showLogs();
          }}
          data-testid="incident-log"
        >
          Show logs
        </Button>
      </span>
    ),
  });
}
