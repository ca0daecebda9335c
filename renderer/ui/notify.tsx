import { notifications } from '@mantine/notifications';
import { toApiError } from '../data/api-error.ts';
import { writeOutput } from '../workbench/output-store.ts';
import { CopyCode } from './copy-code.tsx';
import { remedyOf } from './remedies.ts';

const DISMISS = { 'aria-label': 'Dismiss' };

/** A short confirmation, also kept in Output. */
export function notifyDone(message: string): void {
  writeOutput({ level: 'info', message });
  notifications.show({ message, color: 'green', autoClose: 3_500, closeButtonProps: DISMISS });
}

/** A failed action with its remedy, code and request id, also kept in Output. */
export function notifyError(title: string, cause: unknown): void {
  const error = toApiError(cause);
  const remedy = remedyOf(error.code);
  const id = error.requestId === null ? '' : ` (${error.requestId})`;
  writeOutput({ level: 'error', message: `${title}: ${error.message} [${error.code}]${id}` });
  notifications.show({
    title,
    color: 'red',
    autoClose: 12_000,
    closeButtonProps: DISMISS,
    message: (
      <div>
        {error.message} {remedy}
        <div className="sw-request-id">
          <CopyCode value={error.code} label="Copy error code" />{' '}
          {error.requestId !== null && <CopyCode value={error.requestId} label="Copy request id" />}
        </div>
      </div>
    ),
  });
}
