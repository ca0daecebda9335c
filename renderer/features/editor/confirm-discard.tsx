import { modals } from '@mantine/modals';

/** Asks before unsaved text is given up; undo still brings it back while the tab is open. */
export function confirmDiscard(name: string, onConfirm: () => void): void {
  modals.openConfirmModal({
    title: `Discard unsaved changes of ${name}?`,
    children:
      'The text goes back to what is stored. Undo brings your changes back while the draft stays open.',
    labels: { confirm: 'Discard changes', cancel: 'Keep editing' },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
