import { Button } from '@mantine/core';
import { IconAlertTriangle, IconLoader2 } from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';
import { runCommand } from '../app/commands.ts';
import { servicesStore } from '../app/connection-provider.tsx';
import { desktopApi } from '../desktop/bridge.ts';
import { windowFacts } from '../desktop/this-window.ts';
import { useStore } from '../ui/store.ts';

/** Says when the services are not running and offers to start them; nothing while they are. */
export function ServicesBanner() {
  const services = useStore(servicesStore);
  if (services === null || services.phase === 'ready' || services.phase === 'starting') {
    return null;
  }
  const waiting = services.phase === 'restarting';
  const text = waiting
    ? t('The services stopped and are being started again. {problem}', {
        problem: services.problem ?? '',
      })
    : t('The services are not running. {problem}', { problem: services.problem ?? '' });
  return (
    <div className="sw-banner" role="status" data-tone={waiting ? 'warning' : 'danger'}>
      {waiting ? (
        <IconLoader2 size={16} aria-hidden />
      ) : (
        <IconAlertTriangle size={16} aria-hidden />
      )}
      <span className="sw-banner-text">{t('{text} Unsaved text is kept.', { text })}</span>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => void desktopApi()?.restartServices()}
        data-testid="restart-services"
      >
        {t('Start now')}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => runCommand('app.logs')}>
        {t('Show logs')}
      </Button>
      {!waiting && windowFacts()?.safe === false && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void desktopApi()?.restart('safe')}
        >
          {t('Start in safe mode')}
        </Button>
      )}
    </div>
  );
}
