import { Button } from '@mantine/core';
import { IconAlertTriangle, IconLoader2 } from '@tabler/icons-react';
import type { StorePreparation } from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { runCommand } from '../app/commands.ts';
import { servicesStore } from '../app/connection-provider.tsx';
import { desktopApi } from '../desktop/bridge.ts';
import { windowFacts } from '../desktop/this-window.ts';
import { useStore } from '../ui/store.ts';

/** Says when the services are not running and offers to start them; nothing while they are. */
export function ServicesBanner() {
  const services = useStore(servicesStore);
  if (services === null || services.phase === 'ready') {
    return null;
  }
  if (services.preparing !== null) {
    return <Preparing {...services.preparing} />;
  }
  if (services.phase === 'starting') {
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

/** A store of an earlier version is copied or changed: how far it is, and that nothing is at risk. */
function Preparing({ store, step, done, of }: StorePreparation) {
  const what =
    step === 'copying'
      ? t('The {store} data is copied before this version changes it: {done} of {of} MB.', {
          store,
          done,
          of,
        })
      : t('The {store} data is brought up to this version: change {change} of {of}.', {
          store,
          change: done + 1,
          of,
        });
  return (
    <div className="sw-banner" role="status" data-tone="info" data-testid="preparing">
      <IconLoader2 size={16} aria-hidden />
      <span className="sw-banner-text">
        {what}{' '}
        {t(
          'This happens once. If it is ended in the middle, the next start begins it again, and nothing is lost.',
        )}
      </span>
      <progress
        value={done}
        max={Math.max(of, 1)}
        aria-label={t('Progress of the {store} data', { store })}
      />
    </div>
  );
}
