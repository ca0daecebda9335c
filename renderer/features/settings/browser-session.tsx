import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { t } from '../../../preload/texts/t.ts';
import { endSession } from '../../../server/contract/gateway/session.ts';
import { call } from '../../data/api-client.ts';
import { notifyError } from '../../ui/notify.tsx';

/** Ends the session of this browser, after a question. */
export function askToSignOut(): void {
  modals.openConfirmModal({
    title: t('Sign this browser out?'),
    children: t(
      'A new link opens the workbench again: "specwright link" prints one on the computer that runs it. Runs go on. Text that is not saved stays in this browser.',
    ),
    labels: { confirm: t('Sign out'), cancel: t('Stay signed in') },
    confirmProps: { 'data-autofocus': true },
    onConfirm: () => {
      call(endSession)
        .then(() => location.reload())
        .catch((error: unknown) => notifyError(t('You are still signed in'), error));
    },
  });
}

/** The way out for a browser; the desktop window has no session of this kind. */
export function BrowserSession() {
  return (
    <Button variant="default" size="compact-sm" onClick={askToSignOut} data-testid="sign-out">
      {t('Sign out…')}
    </Button>
  );
}
