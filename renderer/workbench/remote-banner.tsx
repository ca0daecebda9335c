import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';
import type { GatewayStatus } from '../../server/contract/gateway/status.ts';
import { navigateTo } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { isSilent } from '../data/connections.ts';
import { errorTitle } from '../ui/error-titles.ts';
import { rich } from '../ui/rich.ts';

const NAMES = { platform: t('run platform'), dashboard: 'dashboard', studio: 'studio' } as const;
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
        {rich(
          '{name}: {why} ({silent}{value}). Drafts work on, and what you typed stays; runs and tasks come back with it.',
          {
            name: status.connection.name,
            why,
            silent: silent.map((name) => NAMES[name]).join(', '),
            value: address !== null && <> {rich('at {code}', { code: <code>{address}</code> })}</>,
          },
        )}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => navigateTo(paths.settings('connections'))}
      >
        {t('Open the connection')}
      </Button>
    </div>
  );
}
