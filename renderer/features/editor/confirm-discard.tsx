import { modals } from '@mantine/modals';
import { t } from '../../../preload/texts/t.ts';

/** Asks before unsaved text is given up; undo still brings it back while the tab is open. */
export function confirmDiscard(name: string, onConfirm: () => void): void {
  modals.openConfirmModal({
    title: t('Discard unsaved changes of {name}?', { name }),
    children: t(
      'The text goes back to what is stored. Undo brings your changes back while the draft stays open.',
    ),
    labels: { confirm: t('Discard changes'), cancel: t('Keep editing') },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
