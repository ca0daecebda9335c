import { t } from '../../preload/texts/t.ts';
import { rich } from './rich.ts';
import './notice.css';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconClockPause } from '@tabler/icons-react';
import { type FailedRead, type Read, useSlowRead } from '../data/failed-read.ts';
import { timeText } from './clock-text.ts';
import { CopyCode } from './copy-code.tsx';
import { errorTitle } from './error-titles.ts';
import { secondsText } from './relative-time.ts';
import { remedyOf } from './remedies.ts';
import { RetryLine } from './retry-line.tsx';
import { useSeconds } from './use-now.ts';

/** A read of which an older answer is shown. */
export interface ShownRead extends Read {
  readonly dataUpdatedAt: number;
  refetch(): unknown;
}

/** An answer that is not there after so long is told of. */
export const SLOW_MS = 5_000;

interface Trouble {
  readonly query: ShownRead;
  readonly failed: FailedRead;
}

/** Why a part of a page is not shown, in little room: its page says the rest. */
export function BriefTrouble({ query, failed }: Trouble) {
  return (
    <div className="sw-brief-trouble" role="status" data-testid="brief-trouble">
      <IconAlertTriangle size={16} aria-hidden />
      <div className="sw-notice-text">
        {errorTitle(failed.error)}.
        {query.dataUpdatedAt > 0 &&
          t(' What is shown is as it was at {time}.', { time: timeText(query.dataUpdatedAt) })}
        <RetryLine failed={failed} isFetching={query.isFetching} />
      </div>
      <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
        {t('Try now')}
      </Button>
    </div>
  );
}

/** Says above an answer that newer ones could not be had, why, and when they are asked for again. */
export function StaleRead({ query, failed }: Trouble) {
  const remedy = remedyOf(failed.error.code);
  return (
    <div className="sw-notice" data-tone="warning" role="status" data-testid="stale-read">
      <IconAlertTriangle size={16} aria-hidden />
      <div className="sw-notice-text">
        {rich('{b} What is shown is as it was at {time}. {remedy} {code}{retryLine}', {
          b: <strong>{errorTitle(failed.error)}.</strong>,
          time: timeText(query.dataUpdatedAt),
          remedy,
          code: <CopyCode value={failed.error.code} label={t('Copy error code')} />,
          retryLine: <RetryLine failed={failed} isFetching={query.isFetching} />,
        })}
      </div>
      <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
        {t('Try now')}
      </Button>
    </div>
  );
}

/** Says above an answer that the next one is long in coming; else nothing. */
export function SlowRead(props: { readonly query: ShownRead }) {
  const since = useSlowRead(props.query.isFetching, SLOW_MS);
  return since === undefined ? null : (
    <div className="sw-notice" data-tone="info" role="status" data-testid="slow-read">
      <IconClockPause size={16} aria-hidden />
      <div className="sw-notice-text">
        {rich('What is shown is as it was at {time}. {slowText}', {
          time: timeText(props.query.dataUpdatedAt),
          slowText: <SlowText since={since} />,
        })}
      </div>
      <Button size="compact-xs" variant="default" onClick={() => void props.query.refetch()}>
        {t('Ask again')}
      </Button>
    </div>
  );
}

/** For how long an answer has not come. */
export function SlowText({ since }: { readonly since: number }) {
  const now = useSeconds();
  return (
    <>
      {t('There has been no answer for {seconds}.', {
        seconds: secondsText(Math.max(0, now - since)),
      })}
    </>
  );
}
