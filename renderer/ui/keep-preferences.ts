import { t } from '../../preload/texts/t.ts';
import { toApiError } from '../data/api-error.ts';
import { type Preferences, savePreferences } from '../data/preferences.ts';
import { notifyHint } from './notify.tsx';

/** As {@link keepPreferences}; resolves when it is kept or was refused. */
export function keepPreferencesFirst(change: Preferences): Promise<void> {
  return savePreferences(change).catch((error: unknown) =>
    notifyHint(
      t('The choice holds in this window only: {message}', { message: toApiError(error).message }),
    ),
  );
}

/** Keeps a preference for all windows of this person; says so when it only holds in this one. */
export function keepPreferences(change: Preferences): void {
  void keepPreferencesFirst(change);
}
