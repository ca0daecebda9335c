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
          ` What is shown is as it was at ${timeText(query.dataUpdatedAt)}.`}
        <RetryLine failed={failed} isFetching={query.isFetching} />
      </div>
      <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
        Try now
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
        <strong>{errorTitle(failed.error)}.</strong> What is shown is as it was at{' '}
        {timeText(query.dataUpdatedAt)}. {remedy}{' '}
        <CopyCode value={failed.error.code} label="Copy error code" />
        <RetryLine failed={failed} isFetching={query.isFetching} />
      </div>
      <Button size="compact-xs" variant="default" onClick={() => void query.refetch()}>
        Try now
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
        What is shown is as it was at {timeText(props.query.dataUpdatedAt)}.{' '}
        <SlowText since={since} />
      </div>
      <Button size="compact-xs" variant="default" onClick={() => void props.query.refetch()}>
        Ask again
      </Button>
    </div>
  );
}

/** For how long an answer has not come. */
export function SlowText({ since }: { readonly since: number }) {
  const now = useSeconds();
  return <>There has been no answer for {secondsText(Math.max(0, now - since))}.</>;
}
