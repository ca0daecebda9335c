import { desktopApi } from '../desktop/bridge.ts';
import { notifyError } from './notify.tsx';

/** Shows a folder in the system's file manager; says so when that does not work. */
export function showFolder(folder: string): void {
  desktopApi()
    ?.showFolder(folder)
    .then((shown) => {
      if (!shown) {
        throw new Error('The folder is not there, or no file manager answers.');
      }
    })
    .catch((error: unknown) => notifyError('The folder was not shown', error));
}
