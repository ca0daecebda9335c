import { Tooltip } from '@mantine/core';
import { clockText } from './clock-text.ts';
import { relativeTime } from './relative-time.ts';
import { useNow } from './use-now.ts';

/** A time relative to now, local time and ISO on hover. `at` is a wire timestamp or null. */
export function TimeAgo(props: {
  readonly at: string | null | undefined;
  /** In few letters, where the name beside it needs the room. */
  readonly narrow?: boolean;
}) {
  const now = useNow();
  const parsed = props.at === null || props.at === undefined ? Number.NaN : Date.parse(props.at);
  if (Number.isNaN(parsed)) {
    return <span className="sw-faint">–</span>;
  }
  const date = new Date(parsed);
  return (
    <Tooltip label={`${clockText(parsed)} · ${date.toISOString()}`}>
      <time dateTime={date.toISOString()}>
        {relativeTime(parsed, Math.max(now, Date.now()), props.narrow)}
      </time>
    </Tooltip>
  );
}
