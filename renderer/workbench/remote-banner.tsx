import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { GatewayStatus } from '../../server/contract/gateway/status.ts';
import { navigateTo } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { isSilent } from '../data/connections.ts';
import { errorTitle } from '../ui/error-titles.ts';

const NAMES = { platform: 'run platform', dashboard: 'dashboard', studio: 'studio' } as const;
const ORDER = ['platform', 'dashboard', 'studio'] as const;
const BAD_GATEWAY = 502;

/** What of the window's connection does not answer, and why; nothing while all is well. */
export function RemoteBanner({ status }: { readonly status: GatewayStatus | undefined }) {
  if (status === undefined) {
    return null;
  }
  const silent = ORDER.filter((name) => isSilent(status.services[name]));
  const [first] = silent;
  if (first === undefined) {
    return null;
  }
  const { address, problem } = status.services[first];
  const why = errorTitle({ code: problem ?? '', status: BAD_GATEWAY });
  return (
    <div className="sw-banner" role="alert" data-tone="danger" data-testid="remote-down">
      <IconPlugConnectedX size={16} aria-hidden />
      <span className="sw-banner-text">
        {status.connection.name}: {why} ({silent.map((name) => NAMES[name]).join(', ')}
        {address !== null && (
          <>
            {' '}
            at <code>{address}</code>
          </>
        )}
        ). Drafts work on, and what you typed stays; runs and tasks come back with it.
      </span>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => navigateTo(paths.settings('connections'))}
      >
        Open the connection
      </Button>
    </div>
  );
}
