import { IconCloudDown, IconCloudOff } from '@tabler/icons-react';
import type { UpdateState } from '../../preload/desktop-api.ts';
import { t } from '../../preload/texts/t.ts';
import { navigateTo } from '../app/navigation.ts';
import { paths } from '../app/paths.ts';
import { updatesStore } from '../data/updates.ts';
import { useStore } from '../ui/store.ts';

/** What the status bar says of an update; nothing while there is nothing to do. */
function textOf({ phase, offer, received, after }: UpdateState): string | undefined {
  const version = offer?.version ?? '';
  switch (phase) {
    case 'available':
      return t('Version {version} is there', { version });
    case 'downloading':
    case 'preparing':
      return t('Update {detail} %', {
        detail: offer === null ? 0 : Math.floor((received / offer.bytes) * 100),
      });
    case 'paused':
      return t('Update paused');
    case 'ready':
      return t('Version {version} is ready', { version });
    case 'refused':
      return t('Update refused');
    default:
      return after?.outcome === 'good' ? t('Updated to {to}', { to: after.to }) : undefined;
  }
}

/** Leads to the updates in Settings. */
export function UpdateItem() {
  const state = useStore(updatesStore);
  const text = state === null ? undefined : textOf(state);
  if (state === null || text === undefined) {
    return null;
  }
  const refused = state.phase === 'refused';
  const Icon = refused ? IconCloudOff : IconCloudDown;
  return (
    <button
      type="button"
      className="sw-status-item"
      data-tone={refused ? 'danger' : undefined}
      onClick={() => navigateTo(paths.settings('updates'))}
      title={t('Show updates')}
      data-testid="status-update"
      data-state={state.phase}
    >
      <Icon size={13} aria-hidden /> {text}
    </button>
  );
}
