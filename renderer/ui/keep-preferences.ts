import { toApiError } from '../data/api-error.ts';
import { type Preferences, savePreferences } from '../data/preferences.ts';
import { notifyHint } from './notify.tsx';

/** Keeps a preference for all windows of this person; says so when it only holds in this one. */
export function keepPreferences(change: Preferences): void {
  savePreferences(change).catch((error: unknown) =>
    notifyHint(`The choice holds in this window only: ${toApiError(error).message}`),
  );
}
