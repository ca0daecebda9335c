import './toasts.css';
import { Button } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';
import { t } from '../../preload/texts/t.ts';
import { toApiError } from '../data/api-error.ts';
import { writeOutput } from '../workbench/output-store.ts';
import { CopyCode } from './copy-code.tsx';
import { freeCorner } from './free-corner.ts';
import { remedyOf } from './remedies.ts';
import { RemedyPlace } from './remedy-place.tsx';
import { ErrorMessage } from './service-text.tsx';

const DISMISS = { 'aria-label': t('Dismiss') };

let confirmation: string | undefined;

/** A short confirmation above the status bar, also kept in Output; a new one replaces the last. */
export function notifyDone(message: string): void {
  notifyShortly(message, 'green');
}

/** Says shortly why what was asked for was not done; nothing failed. Also kept in Output. */
export function notifyHint(message: string): void {
  notifyShortly(message, 'yellow');
}

/** A notification with a button, which takes it away and does its work. */
export function showWithButton(
  look: Pick<NotificationData, 'title' | 'color' | 'position' | 'className' | 'autoClose'>,
  message: string,
  button: { readonly label: string; readonly press: () => void; readonly testId: string },
  testId?: string,
): void {
  const id = notifications.show({
    ...look,
    closeButtonProps: DISMISS,
    message: (
      <span className="sw-undo" data-testid={testId}>
        {message}
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            button.press();
          }}
          data-testid={button.testId}
        >
          {button.label}
        </Button>
      </span>
    ),
  });
}

/** As {@link notifyDone}, with a button that takes it back; stays long enough to be reached. */
export function notifyUndo(message: string, undo: () => void): void {
  writeOutput({ level: 'info', message });
  showWithButton(
    {
      color: 'green',
      position: 'bottom-center',
      className: 'sw-confirmation',
      autoClose: 12_000,
    },
    message,
    { label: t('Undo'), press: undo, testId: 'undo' },
  );
}

function notifyShortly(message: string, color: 'green' | 'yellow'): void {
  writeOutput({ level: 'info', message });
  if (confirmation !== undefined) {
    notifications.hide(confirmation);
  }
  confirmation = notifications.show({
    message,
    color,
    position: 'bottom-center',
    className: 'sw-confirmation',
    autoClose: 2_000,
    closeButtonProps: DISMISS,
  });
}

/** Stays until it is closed: a failed action with its remedy, code and request id, also kept in Output. */
export function notifyError(title: string, cause: unknown): void {
  const error = toApiError(cause);
  const remedy = remedyOf(error.code);
  const id = error.requestId === null ? '' : ` (${error.requestId})`;
  writeOutput({ level: 'error', message: `${title}: ${error.message} [${error.code}]${id}` });
  notifications.show({
    title,
    position: freeCorner(),
    color: 'red',
    autoClose: false,
    closeButtonProps: DISMISS,
    message: (
      <div>
        <ErrorMessage error={error} /> {remedy}
        <div>
          <RemedyPlace code={error.code} />
        </div>
        <div className="sw-request-id">
          <CopyCode value={error.code} label={t('Copy error code')} />{' '}
          {error.requestId !== null && (
            <CopyCode value={error.requestId} label={t('Copy request id')} />
          )}
        </div>
      </div>
    ),
  });
}
