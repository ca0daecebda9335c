import { t } from '../../preload/texts/t.ts';
import { currentPath, navigateTo } from '../app/navigation.ts';
import { writeOutput } from '../workbench/output-store.ts';
import { notifyDone, showWithButton } from './notify.tsx';

const READABLE_MS = 12_000;

function place(): string {
  return currentPath().split('?')[0] ?? '';
}

/**
 * Remembers where somebody begins what leads to another place once it is done. The function that it
 * returns says that it is done and goes there; to who went elsewhere meanwhile it offers the way.
 */
export function leadOn(): (done: string, path: string) => void {
  const begun = place();
  return (done, path) => {
    if (place() === begun) {
      notifyDone(done);
      navigateTo(path);
      return;
    }
    writeOutput({ level: 'info', message: done });
    showWithButton(
      {
        color: 'green',
        position: 'bottom-center',
        className: 'sw-confirmation',
        autoClose: READABLE_MS,
      },
      done,
      { label: t('Open'), press: () => navigateTo(path), testId: 'lead-on' },
    );
  };
}
