import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { t } from '../../../preload/texts/t.ts';
import { forgetPreferences } from '../../data/preferences.ts';
import { desktopApi } from '../../desktop/bridge.ts';
import { localStore } from '../../desktop/local-store.ts';
import { beginAgainIn } from '../../desktop/spoken-language.ts';
import { notifyError } from '../../ui/notify.tsx';

/** Keys of choices that are this window's alone. What a person wrote or has open is none of them. */
const LOCAL_CHOICES = ['layout', 'inspector', 'theme', 'import-conversion', 'preferences'] as const;

/** Puts every choice back to the first one; nothing that was made or stored is touched. @throws ApiError */
async function resetSettings(): Promise<void> {
  await forgetPreferences();
  const api = desktopApi();
  await api?.setTheme('system');
  await api?.setTray(false);
  await api?.chooseUpdates({ channel: 'stable', automatic: false, on_quit: true });
  for (const key of LOCAL_CHOICES) {
    localStore.remove(key);
  }
}

function askToReset(): void {
  modals.openConfirmModal({
    title: t('Reset the settings?'),
    size: 'lg',
    children: (
      <div data-testid="reset-asks">
        <p>{t('These go back to how they were at first, in all of your windows:')}</p>
        <ul>
          <li>
            {t('language, theme, clock, first page, rows and columns of lists, news that are told')}
          </li>
          <li>{t('panels of the window and how imports convert')}</li>
          {desktopApi() !== undefined && (
            <li>{t('updates (the stable channel, no look by itself) and the icon of the tray')}</li>
          )}
        </ul>
        <p>
          {t(
            'All else stays: projects, drafts and unsaved text, runs, keys and secrets, connections, and trusted folders. The windows load again.',
          )}
        </p>
      </div>
    ),
    labels: { confirm: t('Reset settings'), cancel: t('Keep them') },
    onConfirm: () => {
      resetSettings()
        .then(() => beginAgainIn('system'))
        .catch((error: unknown) => notifyError(t('The settings were not reset'), error));
    },
  });
}

/** The way back to the settings of a first start. */
export function ResetSettings() {
  return (
    <Button variant="default" size="compact-sm" onClick={askToReset} data-testid="reset-settings">
      {t('Reset settings…')}
    </Button>
  );
}
