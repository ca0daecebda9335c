import { t } from '../../preload/texts/t.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { notifyError } from './notify.tsx';

/** Shows a folder in the system's file manager; says so when that does not work. */
export function showFolder(folder: string): void {
  desktopApi()
    ?.showFolder(folder)
    .then((shown) => {
      if (!shown) {
        throw new Error(t('The folder is not there, or no file manager answers.'));
      }
    })
    .catch((error: unknown) => notifyError(t('The folder was not shown'), error));
}
