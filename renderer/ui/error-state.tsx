import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../preload/texts/t.ts';
import { isUnreached, toApiError } from '../data/api-error.ts';
import { CopyCode } from './copy-code.tsx';
import { errorTitle, isSaidByTitle } from './error-titles.ts';
import { remedyOf } from './remedies.ts';
import { RemedyPlace } from './remedy-place.tsx';
import { type RetriedRead, RetryLine } from './retry-line.tsx';
import { ErrorMessage } from './service-text.tsx';
import { UnreachedAddresses } from './unreached-addresses.tsx';

/** A failed read or action: what happened, what to do, retry, code and request id to copy. */
export function ErrorState(props: {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
  /** What is known of a read that failed: since when, and when it is made again. */
  readonly retried?: RetriedRead | undefined;
  readonly actions?: ReactNode;
  readonly compact?: boolean;
}) {
  const error = toApiError(props.error);
  const remedy = remedyOf(error.code);
  return (
    <div
      className="sw-state"
      role="alert"
      data-compact={props.compact === true}
      data-testid="error-state"
      data-code={error.code}
    >
      <IconAlertTriangle size={28} stroke={1.5} color="var(--sw-danger)" aria-hidden />
      <div className="sw-state-title">{props.title ?? errorTitle(error)}</div>
      <div className="sw-state-text">
        {(props.title !== undefined || !isSaidByTitle(error.code)) && (
          <ErrorMessage error={error} />
        )}
        {remedy !== undefined && <div>{remedy}</div>}
        {isUnreached(error) && <UnreachedAddresses />}
      </div>
      {props.retried !== undefined && <RetryLine {...props.retried} />}
      <div className="sw-request-id">
        <CopyCode value={error.code} label={t('Copy error code')} />{' '}
        {error.requestId !== null && (
          <CopyCode value={error.requestId} label={t('Copy request id')} />
        )}
      </div>
      <div className="sw-state-actions">
        {props.onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={props.onRetry} data-testid="retry">
            {t('Try again')}
          </Button>
        )}
        <RemedyPlace code={error.code} />
        {props.actions}
      </div>
    </div>
  );
}
