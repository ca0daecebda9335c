import { t } from '../../preload/texts/t.ts';
import type { FailedRead } from '../data/failed-read.ts';
import { timeText } from './clock-text.ts';
import { secondsText } from './relative-time.ts';
import { useSeconds } from './use-now.ts';

/** A read that has failed, and whether it is being made again right now. */
export interface RetriedRead {
  readonly failed: FailedRead;
  readonly isFetching: boolean;
}

/** Since when a read fails, and when it is made again: by itself, or when somebody asks. */
export function RetryLine({ failed, isFetching }: RetriedRead) {
  const now = Math.max(useSeconds(), failed.since);
  const { since, nextAt } = failed;
  const length = now - since < 2_000 ? '' : ` (${secondsText(now - since)})`;
  return (
    <div className="sw-retry-line sw-faint" data-testid="retry-line">
      {t('Since {time}{length}. {detail}', {
        time: timeText(since),
        length,
        detail: isFetching ? t('Trying again now.') : againText(nextAt, now),
      })}
    </div>
  );
}

function againText(nextAt: number | undefined, now: number): string {
  return nextAt === undefined
    ? ''
    : t('Trying again in {max} s.', { max: Math.max(1, Math.ceil((nextAt - now) / 1_000)) });
}
